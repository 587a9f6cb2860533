import type { PushedUrl } from '../job-queue.ts'
import type { RetryingClient } from './retrying-client.ts'

/** Milliseconds that a replica may be behind its master: the URLs of at least that time are kept, if there are few enough. */
const BEHIND_MS = 10_000
/** A longer list replaces the older one of a server, however recent the URLs of that are. */
const MAX_URLS = 20_000

/** URLs that were pushed to a server recently. */
class RecentPushes {
  readonly #server: RetryingClient
  #breaks: number
  #newer: PushedUrl[] = []
  #older: PushedUrl[] = []
  #since = 0

  constructor(server: RetryingClient) {
    this.#server = server
    this.#breaks = server.breaks
  }

  get hasLosses(): boolean {
    return this.#server.breaks !== this.#breaks
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
    this.#breaks = this.#server.breaks
    this.#older = []
    this.#newer = []
    return lost
  }
}

/**
 * Keeps the URLs that were pushed recently. When a server was away, another may have taken its place: a replica, or
 * itself after a power cut. That one may have forgotten the last few seconds. Pushing a URL again does no harm, since
 * the seen test comes later.
 */
export class ReplayBuffer {
  readonly #recent: ReadonlyMap<RetryingClient, RecentPushes>

  constructor(servers: readonly RetryingClient[]) {
    this.#recent = new Map(servers.map((server) => [server, new RecentPushes(server)]))
  }

  /** True when a server was away since the last `takeLost`. */
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
