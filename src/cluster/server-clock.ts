/** Part of the time since a comparison by which two clocks may have drifted apart. */
const DRIFT = 1e-4

/**
 * Translates times of a server to those of this machine. Each answer of the server shows its clock with an error of half
 * the time that the call took; the comparison with the least error counts, until it may have become worse by drift.
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
    // Clocks that can't both be right: another server took its place, or its clock was set.
    const isAnother = Math.abs(offset - this.#offset) > error + known
    if (error > known && !isAnother) return
    this.#offset = offset
    this.#error = error
    this.#comparedAt = received
  }

  /** Returns the time of the server at a time of this machine; undefined before the first comparison. */
  serverTime(local: number): number | undefined {
    return Number.isFinite(this.#error) ? local - this.#offset : undefined
  }

  /** Returns the time of this machine at a time of the server. */
  localTime(server: number): number {
    return server + this.#offset
  }
}
