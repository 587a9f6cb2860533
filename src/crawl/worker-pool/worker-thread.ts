import type { EventLoopUtilization } from 'node:perf_hooks'
import {
  type MessagePort,
  type ResourceLimits,
  receiveMessageOnPort,
  type Worker,
} from 'node:worker_threads'
import type { WorkerMessage } from '../../messages/from-worker.ts'
import type { CoordinatorMessage } from '../../messages/to-worker.ts'
import type { ThreadSetup } from '../../messages/worker-setup.ts'
import { liftTurbofanDelay } from '../../runtime/turbofan-delay.ts'
import { liftYoungGenerationLimit } from '../../runtime/v8-memory-flags.ts'
import { startThread } from './start-thread.ts'
import { threadError } from './thread-error.ts'

/** Time for a thread to end by itself, in milliseconds. */
const GRACE_MS = 2_000
/** Milliseconds for a thread to end by force. A name look-up may delay its end, but it runs no code any more. */
const FORCE_MS = 500

interface ThreadObserver {
  message(message: WorkerMessage): void
  /** The thread ended although `end` was not called. All of its messages were passed on before. */
  died(error: Error): void
}

/** A thread of the system that runs the entry of a fetch worker, and the port between it and the main thread. */
export class WorkerThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #events: ThreadObserver
  /** Never rejects, unlike `once(worker, 'exit')`: a failure while the thread ends does no harm. */
  readonly #exit = Promise.withResolvers<void>()
  /** Functions to call once the thread has loaded its program. */
  readonly #onLoaded = [liftYoungGenerationLimit(), liftTurbofanDelay()]
  #end: Promise<void> | undefined
  #error: Error | undefined
  #isGone = false
  #lastUtilization: EventLoopUtilization | undefined

  constructor(setup: Omit<ThreadSetup, 'port'>, limits: ResourceLimits, events: ThreadObserver) {
    const { worker, port } = this.#start(setup, limits)
    this.#worker = worker
    this.#port = port
    this.#events = events
    // Stdout is for visits, so the output of hooks goes to stderr, like the log.
    worker.stdout.on('data', (chunk) => process.stderr.write(chunk))
    worker.on('error', (thrown: unknown) => {
      this.#error ??= threadError(thrown)
    })
    worker.on('exit', (code) =>
      this.#gone(this.#error ?? new Error(`the worker ended with exit code ${code}`)),
    )
    worker.once('message', () => this.#endLoading())
    port.on('message', (message: WorkerMessage) => events.message(message))
  }

  #start(setup: Omit<ThreadSetup, 'port'>, resourceLimits: ResourceLimits) {
    const options = { name: `worker ${setup.worker}`, resourceLimits, stdout: true }
    try {
      return startThread('fetch-worker.cjs', setup, options)
    } catch (error) {
      this.#endLoading()
      throw error
    }
  }

  post(message: CoordinatorMessage): void {
    this.#port.postMessage(message)
  }

  /** Returns the share of the time since the last call for which its event loop was busy: 0 to 1. */
  takeBusyShare(): number {
    const { eventLoopUtilization } = this.#worker.performance
    const now = eventLoopUtilization()
    const { utilization } = eventLoopUtilization(now, this.#lastUtilization)
    this.#lastUtilization = now
    return utilization
  }

  /** Ends the thread, by force if it takes too long. Resolves when it runs no code any more. */
  end(): Promise<void> {
    this.#end ??= this.#letEnd()
    return this.#end
  }

  /** Ends the thread by force, as if it died of this error. Waits only briefly if the system delays its end. */
  kill(error: Error): void {
    const cause = this.#error ?? error
    this.#error = cause
    void this.#worker.terminate()
    void this.#endsWithin(FORCE_MS).then(() => this.#gone(cause))
  }

  async #letEnd(): Promise<void> {
    this.post({ type: 'end' })
    if (await this.#endsWithin(GRACE_MS)) return
    void this.#worker.terminate()
    await this.#endsWithin(FORCE_MS)
  }

  #endsWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), ms)
    void this.#exit.promise.then(() => resolve(true))
    return promise.finally(() => clearTimeout(timer))
  }

  #gone(error: Error): void {
    this.#exit.resolve()
    this.#endLoading()
    if (this.#isGone) return
    this.#isGone = true
    // Its last message may not have been delivered yet.
    for (let left = this.#receive(); left !== undefined; left = this.#receive()) {
      this.#events.message(left.message)
    }
    this.#port.close()
    if (this.#end === undefined) this.#events.died(error)
  }

  #endLoading(): void {
    for (const onLoaded of this.#onLoaded) onLoaded()
  }

  #receive(): { readonly message: WorkerMessage } | undefined {
    return receiveMessageOnPort(this.#port)
  }
}
