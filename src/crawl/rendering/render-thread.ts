import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { RenderCommand, RenderEvent, RenderSetup } from '../../messages/render-messages.ts'

// Started by its file name, as the fetch workers are: see worker-pool/worker-thread.ts.
const ENTRY = import.meta.url.endsWith('.ts') ? '../../../dist/thread.cjs' : './thread.cjs'

/** Milliseconds for the browser and its thread to end. */
const GRACE_MS = 5_000

interface RenderObserver {
  event(event: RenderEvent): void
  /** The thread ended, and nobody had ended it. */
  died(error: Error): void
}

/** The thread that owns the browser: its messages are large, and the main thread has other things to do. */
export class RenderThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #exit = Promise.withResolvers<void>()
  #isEnding = false

  constructor(setup: Omit<RenderSetup, 'port'>, observer: RenderObserver) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = new Worker(new URL(ENTRY, import.meta.url), {
      argv: ['render-worker.cjs'],
      workerData: { ...setup, port: port2 } satisfies RenderSetup,
      transferList: [port2],
      name: 'renderer',
    })
    let error = new Error('the render thread ended')
    this.#worker.on('error', (thrown: unknown) => {
      if (thrown instanceof Error) error = thrown
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

  /** Resolves when the thread and its browser have ended: by themselves, or by force after a while. */
  async end(): Promise<void> {
    this.#isEnding = true
    this.post({ type: 'end' })
    const timer = setTimeout(() => void this.#worker.terminate(), GRACE_MS)
    await this.#exit.promise
    clearTimeout(timer)
  }
}
