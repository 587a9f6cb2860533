import type { MessagePort, Worker } from 'node:worker_threads'
import type { RenderCommand, RenderEvent, RenderSetup } from '../../messages/render-messages.ts'
import { startThread } from '../worker-pool/start-thread.ts'
import { threadError } from '../worker-pool/thread-error.ts'

/** Milliseconds for the browser and its thread to end. */
const GRACE_MS = 5_000

interface RenderObserver {
  event(event: RenderEvent): void
  /** The thread ended although `end` was not called. */
  died(error: Error): void
}

/** The thread that owns the browser. The browser's messages are large, and would keep the main thread busy. */
export class RenderThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #exit = Promise.withResolvers<void>()
  #isEnding = false

  constructor(setup: Omit<RenderSetup, 'port'>, observer: RenderObserver) {
    const { worker, port } = startThread('render-worker.cjs', setup, { name: 'renderer' })
    this.#worker = worker
    this.#port = port
    let error = new Error('the render thread ended')
    worker.on('error', (thrown: unknown) => {
      error = threadError(thrown)
    })
    worker.on('exit', () => {
      this.#exit.resolve()
      port.close()
      if (!this.#isEnding) observer.died(error)
    })
    port.on('message', (event: RenderEvent) => observer.event(event))
  }

  post(command: RenderCommand): void {
    this.#port.postMessage(command)
  }

  /** Ends the thread and its browser, by force if they take too long. */
  async end(): Promise<void> {
    this.#isEnding = true
    this.post({ type: 'end' })
    const timer = setTimeout(() => void this.#worker.terminate(), GRACE_MS)
    await this.#exit.promise
    clearTimeout(timer)
  }
}
