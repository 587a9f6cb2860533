import { BoundedMap } from '../../../collections/bounded-map.ts'

/** Maximum bytes of one session, since servers choose the size of their tickets and certificates. */
const MAX_SESSION_BYTES = 16 * 1024
/** Maximum bytes of all sessions: a few thousand of the usual size. */
const MAX_BYTES = 8 * 2 ** 20
/** Maximum number of servers that are remembered since they refuse their sessions. */
const MAX_REFUSING = 1_000

/** TLS sessions by server, with which the next connection needs no full handshake. The oldest are evicted first. */
export class TlsSessions {
  readonly #maxBytes: number
  readonly #sessions = new Map<string, Buffer>()
  readonly #refusing = new BoundedMap<string, true>(MAX_REFUSING)
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Number of sessions. */
  get size(): number {
    return this.#sessions.size
  }

  /** Returns the latest session of a server. */
  get(server: string): Buffer | undefined {
    return this.#sessions.get(server)
  }

  /** Keeps a session, which replaces an older one of the same server. */
  keep(server: string, session: Buffer): void {
    this.#remove(server)
    if (session.length > MAX_SESSION_BYTES || this.#refusing.has(server)) return
    this.#sessions.set(server, ownCopy(session))
    this.#bytes += session.length
    for (const oldest of this.#sessions.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#remove(oldest)
    }
  }

  /** Notes that a server refuses its own sessions. None of it are kept from now on. */
  refused(server: string): void {
    this.#refusing.set(server, true)
    this.#remove(server)
  }

  #remove(server: string): void {
    this.#bytes -= this.#sessions.get(server)?.length ?? 0
    this.#sessions.delete(server)
  }
}

/** Copies bytes into separate memory. Node's small buffers are parts of a 64 KiB pool, which each keeps in memory. */
function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
