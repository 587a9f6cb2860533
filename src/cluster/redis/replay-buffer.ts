import type { Connection } from './connection.ts'
import type { PushedUrl } from './exchange.ts'

/** Milliseconds that a replica may be behind its master: what was enqueued in that time is kept, or in twice that. */
const BEHIND_MS = 10_000
/** URLs that are kept at most, by as many again. */
const MOST = 20_000

interface Recent {
  /** How often the server was away when that was last seen to. */
  breaks: number
  newer: PushedUrl[]
  older: PushedUrl[]
  since: number
}

/**
 * What was enqueued of late. When a server was away, another may have taken its place: a replica, or itself
 * after a power cut. It knows all that was said up to some moment, and nothing of what was said after it.
 * To enqueue a URL again does no harm, for the URL-seen test comes later.
 */
export class ReplayBuffer {
  readonly #recents: ReadonlyMap<Connection, Recent>

  constructor(servers: readonly Connection[]) {
    const fresh = ({ breaks }: Connection) => ({ breaks, newer: [], older: [], since: 0 })
    this.#recents = new Map(servers.map((server) => [server, fresh(server)]))
  }

  /** Whether a server was away since the last `take`. */
  get hasLosses(): boolean {
    return [...this.#recents].some(([server, { breaks }]) => server.breaks !== breaks)
  }

  /** URLs were enqueued. */
  add(server: Connection, urls: readonly PushedUrl[]): void {
    const recent = this.#recents.get(server)
    if (recent === undefined) return
    const now = performance.now()
    if (now - recent.since > BEHIND_MS || recent.newer.length > MOST) {
      recent.older = recent.newer
      recent.newer = []
      recent.since = now
    }
    for (const url of urls) recent.newer.push(url)
  }

  /** What has to be enqueued again. */
  takeLost(): PushedUrl[] {
    const lost: PushedUrl[] = []
    for (const [server, recent] of this.#recents) {
      if (server.breaks === recent.breaks) continue
      recent.breaks = server.breaks
      for (const url of [...recent.older, ...recent.newer]) lost.push(url)
      recent.older = []
      recent.newer = []
    }
    return lost
  }
}
