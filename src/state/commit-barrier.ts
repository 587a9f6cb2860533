import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds after which an event counts as long. */
const LONG_MS = 50

/**
 * Runs events one at a time. While the barrier is held, they wait, in order. After a failure, no further event runs, so
 * that half-done work doesn't become part of a commit. After a long event, the next one waits for a turn of the event
 * loop: Node delivers up to 1,000 messages of a worker in one turn, and timers, signals and outputs would wait for all.
 */
export class CommitBarrier {
  readonly #failed: (error: unknown) => void
  #waiting: (() => void)[] = []
  /** Number of calls of `during` that hold events back. */
  #holds = 0
  #isShut = false
  #hasPassed = false
  #guard: () => Promise<void> | undefined = () => undefined
  #awaitsGuard = false

  /** @param failed called with the error of an event */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /** @param guard called before each event; the event waits for the returned promise, if any */
  setGuard(guard: () => Promise<void> | undefined): void {
    this.#guard = guard
  }

  /** True while events wait for a promise of the guard. */
  get awaitsGuard(): boolean {
    return this.#awaitsGuard
  }

  /** Returns true if any event has run since the last call. */
  takePassed(): boolean {
    const hasPassed = this.#hasPassed
    this.#hasPassed = false
    return hasPassed
  }

  /** Runs an event now, or once the barrier is open. */
  pass(event: () => void): void {
    if (this.#isShut) return
    const delay = this.#holds === 0 ? this.#guard() : undefined
    if (delay !== undefined) this.during(() => this.#await(delay)).catch(this.#failed)
    if (this.#holds > 0) this.#waiting.push(event)
    else this.#run(event)
  }

  /** Holds events back while `work` runs, and permanently if it fails. Resolves with the result of `work`. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#holds++
    try {
      const result = await work()
      if (--this.#holds === 0) this.#open()
      return result
    } catch (error) {
      this.shut()
      throw error
    }
  }

  /** Shuts the barrier permanently, and drops waiting events. */
  shut(): void {
    this.#isShut = true
    this.#waiting = []
  }

  async #await(delay: Promise<void>): Promise<void> {
    this.#awaitsGuard = true
    await delay
    this.#awaitsGuard = false
  }

  #open(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const event of waiting) this.pass(event)
  }

  #run(event: () => void): void {
    this.#hasPassed = true
    const start = performance.now()
    try {
      event()
      if (performance.now() - start > LONG_MS) void this.during(() => turn())
    } catch (error) {
      this.shut()
      this.#failed(error)
    }
  }
}
