/** Maximum share of all connections for hosts that have not yet proven that they answer quickly. */
const UNPROVEN_SHARE = 3 / 4

/** Divides the connections of a crawl among the hosts that have requests in flight. */
export class ConnectionShare {
  readonly #connections: number
  #queuedPerHost: number
  #hosts = 0

  /**
   * @param connections maximum requests in flight to all hosts together
   * @param queuedPerHost as in `PolitenessOptions`
   */
  constructor(connections: number, queuedPerHost = 0) {
    this.#connections = connections
    this.#queuedPerHost = queuedPerHost
  }

  /** Maximum URLs of a host that may wait in workers until one of its requests has ended. */
  get queuedPerHost(): number {
    return this.#queuedPerHost
  }

  /** Lets no URL wait in workers from now on. */
  endQueueing(): void {
    this.#queuedPerHost = 0
  }

  /** Requests in flight that each host may have, even if it is slow. */
  get ofEach(): number {
    return Math.max(1, Math.floor((this.#connections * UNPROVEN_SHARE) / Math.max(1, this.#hosts)))
  }

  /** Notes that a host has its first request in flight. */
  hostBegan(): void {
    this.#hosts++
  }

  /** Notes that a host has no request in flight any more. */
  hostEnded(): void {
    this.#hosts--
  }
}
