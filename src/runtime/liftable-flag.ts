import { setFlagsFromString } from 'node:v8'

/**
 * A flag of V8 that crawls want for a while. It is lifted while a thread loads its program: V8 rejects cached code that
 * was compiled under other flags.
 */
export class LiftableFlag {
  readonly #set: string
  readonly #unset: string
  readonly #wants = new Set<object>()
  readonly #lifts = new Set<object>()
  #isSet = false

  /**
   * @param set the flag
   * @param unset the same flag with V8's own value
   */
  constructor(set: string, unset: string) {
    this.#set = set
    this.#unset = unset
  }

  /** Sets the flag, unless it is lifted. Returns a function to call when it is not wanted any more. */
  want(): () => void {
    return this.#hold(this.#wants)
  }

  /** Unsets the flag. Returns a function to call when there is no reason for that any more. */
  lift(): () => void {
    return this.#hold(this.#lifts)
  }

  #hold(reasons: Set<object>): () => void {
    const reason = {}
    reasons.add(reason)
    this.#review()
    return () => {
      reasons.delete(reason)
      this.#review()
    }
  }

  #review(): void {
    const shouldBeSet = this.#wants.size > 0 && this.#lifts.size === 0
    if (shouldBeSet !== this.#isSet) setFlagsFromString(shouldBeSet ? this.#set : this.#unset)
    this.#isSet = shouldBeSet
  }
}
