/**
 * Lets events in one at a time; while it is held they wait, in order. Once something has gone wrong
 * nothing passes any more: what is half done must not become part of a commit.
 */
export class EventBarrier {
  readonly #failed: (error: unknown) => void
  #waiting: (() => void)[] = []
  #state: 'open' | 'held' | 'shut' = 'open'
  #hasPassed = false
  /** Asked before each event; what it gives is to be waited for before that passes. */
  guard: () => Promise<void> | undefined = () => undefined

  /** @param failed told what an event throws */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /** Whether anything has passed since the last call. */
  takePassed(): boolean {
    const hasPassed = this.#hasPassed
    this.#hasPassed = false
    return hasPassed
  }

  pass(event: () => void): void {
    const delay = this.#state === 'open' ? this.guard() : undefined
    if (delay !== undefined) this.during(() => delay).catch(this.#failed)
    if (this.#state === 'held') this.#waiting.push(event)
    else if (this.#state === 'open') this.#run(event)
  }

  /** Resolves with what `work` gives; nothing passes meanwhile, nor later when it fails. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#state === 'open') this.#state = 'held'
    try {
      const result = await work()
      this.#open()
      return result
    } catch (error) {
      this.shut()
      throw error
    }
  }

  /** For good. */
  shut(): void {
    this.#state = 'shut'
    this.#waiting = []
  }

  #open(): void {
    if (this.#state === 'shut') return
    this.#state = 'open'
    const waiting = this.#waiting
    this.#waiting = []
    for (const event of waiting) this.pass(event)
  }

  #run(event: () => void): void {
    this.#hasPassed = true
    try {
      event()
    } catch (error) {
      this.shut()
      this.#failed(error)
    }
  }
}
