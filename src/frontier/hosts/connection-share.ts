/** Maximum share of all connections for hosts that have not yet proven that they answer quickly. */
const UNPROVEN_SHARE = 3 / 4

/** Milliseconds for which the other connections are kept free after the last response of a quick host. */
const RESERVE_MS = 10_000

/**
 * Divides the connections of a crawl among the hosts that have requests in flight. While quick hosts respond, all other
 * hosts together don't get the last quarter. Otherwise hundreds of hosts that never answer would occupy all connections.
 */
export class ConnectionShare {
  readonly #connections: number
  #queuedPerHost: number
  #hosts = 0
  /** Requests in flight to hosts that are not quick. */
  #unproven = 0
  #reservedUntil = Number.NEGATIVE_INFINITY

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

  /**
   * When a host that is not quick may have another request in flight; infinite if that depends on the end of others.
   * Its requests never wait in workers, since those of quick hosts would wait behind them.
   */
  get admitsUnprovenAt(): number {
    if (this.#unproven >= this.#connections) return Number.POSITIVE_INFINITY
    const isCrowded = this.#unproven >= Math.max(1, Math.floor(this.#connections * UNPROVEN_SHARE))
    return isCrowded ? this.#reservedUntil : Number.NEGATIVE_INFINITY
  }

  /** Adds to the requests in flight to hosts that are not quick. */
  addUnproven(requests: number): void {
    this.#unproven += requests
  }

  /** Notes that a quick host has responded. */
  quickHostResponded(now: number): void {
    this.#reservedUntil = now + RESERVE_MS
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
