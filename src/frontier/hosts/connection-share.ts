/** Share of all connections that hosts may hold which have not shown that they answer soon. */
const UNPROVEN_SHARE = 3 / 4

/** Shares the connections of a crawl out among the hosts that have requests in flight. */
export class ConnectionShare {
  readonly #connections: number
  #queuedPerHost: number
  #hosts = 0

  /**
   * @param connections requests that may be in flight at a time, to all hosts together
   * @param queuedPerHost as in `PolitenessOptions`
   */
  constructor(connections: number, queuedPerHost = 0) {
    this.#connections = connections
    this.#queuedPerHost = queuedPerHost
  }

  /** URLs of a host that may wait in workers until one of its requests has ended. */
  get queuedPerHost(): number {
    return this.#queuedPerHost
  }

  /** Lets no URL wait in workers from now on. */
  endQueueing(): void {
    this.#queuedPerHost = 0
  }

  /** Requests in flight that each host may have, however slow it is. */
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
