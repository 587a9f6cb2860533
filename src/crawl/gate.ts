/** Lets events in one at a time; while it is held they wait, in order. */
export class Gate {
  readonly #failed: (error: unknown) => void
  #waiting: (() => void)[] = []
  #isHeld = false
  #hasPassed = false

  /** @param failed told what an event throws */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Whether anything has passed since the last call. */
  takePassed(): boolean {
    const hasPassed = this.#hasPassed
    this.#hasPassed = false
    return hasPassed
  }

  pass(event: () => void): void {
    if (this.#isHeld) this.#waiting.push(event)
    else this.#run(event)
  }

  hold(): void {
    this.#isHeld = true
  }

  open(): void {
    this.#isHeld = false
    const waiting = this.#waiting
    this.#waiting = []
    for (const event of waiting) this.#run(event)
  }

  #run(event: () => void): void {
    this.#hasPassed = true
    try {
      event()
    } catch (error) {
      this.#failed(error)
    }
  }
}
