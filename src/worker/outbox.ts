import type { Outcome } from '../wire/messages.ts'

/** Collects the outcomes of one turn of the event loop into one message: messages are dear. */
export class Outbox {
  readonly #send: (outcomes: readonly Outcome[]) => void
  #outcomes: Outcome[] = []

  constructor(send: (outcomes: readonly Outcome[]) => void) {
    this.#send = send
  }

  put(outcome: Outcome): void {
    if (this.#outcomes.push(outcome) === 1) setImmediate(() => this.#flush())
  }

  #flush(): void {
    const outcomes = this.#outcomes
    this.#outcomes = []
    this.#send(outcomes)
  }
}
