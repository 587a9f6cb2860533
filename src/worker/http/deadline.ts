/** A time limit that stands still while it is paused. */
export class Deadline {
  readonly #expire: () => void
  #timer: NodeJS.Timeout | undefined
  #left: number
  #since = 0

  /** @param ms until `expire` is called */
  constructor(ms: number, expire: () => void) {
    this.#left = ms
    this.#expire = expire
    this.resume()
  }

  pause(): void {
    clearTimeout(this.#timer)
    this.#left = Math.max(1, this.#left - (performance.now() - this.#since))
  }

  resume(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(this.#expire, this.#left)
  }

  /** It is not called any more. */
  clear(): void {
    clearTimeout(this.#timer)
  }
}
