import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import type { RenderCommand, RenderEvent, RenderSetup } from '../../messages/render-messages.ts'
import { startThread } from '../worker-pool/start-thread.ts'
import { threadError } from '../worker-pool/thread-error.ts'

// The thread is started by its file name, like the fetch workers: see worker-pool/worker-thread.ts.
const ENTRY = import.meta.url.endsWith('.ts') ? '../../../dist/thread.cjs' : './thread.cjs'

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
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = startThread(new URL(ENTRY, import.meta.url), {
      argv: ['render-worker.cjs'],
      workerData: { ...setup, port: port2 } satisfies RenderSetup,
      transferList: [port2],
      name: 'renderer',
    })
    let error = new Error('the render thread ended')
    this.#worker.on('error', (thrown: unknown) => {
      error = threadError(thrown)
    })
    this.#worker.on('exit', () => {
      this.#exit.resolve()
      this.#port.close()
      if (!this.#isEnding) observer.died(error)
    })
    port1.on('message', (event: RenderEvent) => observer.event(event))
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
