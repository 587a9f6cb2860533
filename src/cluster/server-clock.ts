/** Maximum drift between two clocks, as a fraction of the time since they were compared. */
const DRIFT = 1e-4

/**
 * Converts between times of a server's clock and of this machine's clock. Each reply of the server shows its clock with
 * an error of at most half the duration of the call. The comparison with the smallest error is used, until drift may
 * have made it worse than a newer one.
 */
export class ServerClock {
  #offset = 0
  #error = Number.POSITIVE_INFINITY
  #comparedAt = 0

  /**
   * Compares the clocks.
   * @param server time of the server, read between the times `sent` and `received` of this machine; in milliseconds
   */
  compare(server: number, sent: number, received: number): void {
    const error = (received - sent) / 2
    const offset = (sent + received) / 2 - server
    const known = this.#error + DRIFT * (received - this.#comparedAt)
    // The two offsets contradict each other: another server took the place of this one, or a clock was set.
    const isAnother = Math.abs(offset - this.#offset) > error + known
    if (error > known && !isAnother) return
    this.#offset = offset
    this.#error = error
    this.#comparedAt = received
  }

  /** Converts a time of this machine to a time of the server. Returns undefined before the first comparison. */
  serverTime(local: number): number | undefined {
    return Number.isFinite(this.#error) ? local - this.#offset : undefined
  }

  /** Converts a time of the server to a time of this machine. */
  localTime(server: number): number {
    return server + this.#offset
  }
}
