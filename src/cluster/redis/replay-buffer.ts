import type { PushedUrl } from '../job-queue.ts'
import type { RetryingClient } from './retrying-client.ts'

/**
 * Milliseconds that a replica may lag behind its master. URLs that were pushed within that time are kept, unless there
 * are too many.
 */
const BEHIND_MS = 10_000
/** Maximum length of a newer list. A longer one replaces the older list, even if the URLs of that are recent. */
const MAX_URLS = 20_000

/** URLs that were pushed to a server recently. */
class RecentPushes {
  readonly #server: RetryingClient
  #outageCount: number
  #newer: PushedUrl[] = []
  #older: PushedUrl[] = []
  #since = 0

  constructor(server: RetryingClient) {
    this.#server = server
    this.#outageCount = server.outageCount
  }

  get hasLosses(): boolean {
    return this.#server.outageCount !== this.#outageCount
  }

  add(urls: readonly PushedUrl[]): void {
    const now = performance.now()
    if (now - this.#since > BEHIND_MS || this.#newer.length > MAX_URLS) {
      this.#older = this.#newer
      this.#newer = []
      this.#since = now
    }
    for (const url of urls) this.#newer.push(url)
  }

  takeLost(): PushedUrl[] {
    if (!this.hasLosses) return []
    const lost = [...this.#older, ...this.#newer]
    this.#outageCount = this.#server.outageCount
    this.#older = []
    this.#newer = []
    return lost
  }
}

/**
 * Keeps the URLs that were pushed recently. After an outage, a server may lack the last few seconds: a replica may have
 * taken its place, or it may have restarted after a power cut. Pushing a URL again does no harm, since the seen test
 * comes later.
 */
export class ReplayBuffer {
  readonly #recent: ReadonlyMap<RetryingClient, RecentPushes>

  constructor(servers: readonly RetryingClient[]) {
    this.#recent = new Map(servers.map((server) => [server, new RecentPushes(server)]))
  }

  /** True if a server was unavailable since the last `takeLost`. */
  get hasLosses(): boolean {
    return [...this.#recent.values()].some((recent) => recent.hasLosses)
  }

  /** Adds URLs that a server has accepted. */
  add(server: RetryingClient, urls: readonly PushedUrl[]): void {
    this.#recent.get(server)?.add(urls)
  }

  /** Returns the URLs that have to be pushed again. */
  takeLost(): PushedUrl[] {
    return [...this.#recent.values()].flatMap((recent) => recent.takeLost())
  }
}
