/** Counts the requests of one page in flight, and measures the time without any. */
export class Activity {
  #inFlight = 0
  #total = 0
  #lastEnd = performance.now()

  get inFlight(): number {
    return this.#inFlight
  }

  /** Number of requests that the page has made. */
  get total(): number {
    return this.#total
  }

  /** Milliseconds since the last request ended; 0 while requests are in flight. */
  get quiet(): number {
    return this.#inFlight > 0 ? 0 : performance.now() - this.#lastEnd
  }

  began(): void {
    this.#inFlight++
    this.#total++
  }

  ended(): void {
    this.#inFlight--
    this.#lastEnd = performance.now()
  }
}
