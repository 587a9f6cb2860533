/** Bytes of one session: servers choose the size of their tickets and certificates. */
const MAX_SESSION_BYTES = 16 * 1024
/** Bytes of all sessions: a few thousand of usual ones. */
const MAX_BYTES = 8 * 2 ** 20

/** TLS sessions by server, with which the next connection needs no full handshake; the least recently used go first. */
export class TlsSessions {
  readonly #maxBytes: number
  readonly #sessions = new Map<string, Buffer>()
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Number of sessions. */
  get size(): number {
    return this.#sessions.size
  }

  /** Returns the last session of a server. */
  get(server: string): Buffer | undefined {
    return this.#sessions.get(server)
  }

  /** Keeps a session in place of an older one of the server. */
  keep(server: string, session: Buffer): void {
    this.#remove(server)
    if (session.length > MAX_SESSION_BYTES) return
    this.#sessions.set(server, ownCopy(session))
    this.#bytes += session.length
    for (const oldest of this.#sessions.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#remove(oldest)
    }
  }

  #remove(server: string): void {
    this.#bytes -= this.#sessions.get(server)?.length ?? 0
    this.#sessions.delete(server)
  }
}

/** Copies bytes into memory of their own: Node's small buffers are parts of 64 KiB, which each of them keeps in use. */
function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
