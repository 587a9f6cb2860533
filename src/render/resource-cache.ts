import { withoutFragment } from '../url/fragment.ts'
import type { LoadResource, ResourceLoad, ResourceReply } from './rendered-page.ts'

/** Maximum bytes of all responses that are kept. */
const MAX_BYTES = 64 * 2 ** 20

/** Caches the resources of pages, so that a script that all pages of a site share is fetched once. */
export class ResourceCache {
  readonly #load: LoadResource
  readonly #limit: number
  /** Replies by URL, site and headers. The one that was used last is at the end. */
  readonly #replies = new Map<string, ResourceReply>()
  readonly #pending = new Map<string, Promise<ResourceReply>>()
  #bytes = 0

  constructor(load: LoadResource, limit = MAX_BYTES) {
    this.#load = load
    this.#limit = limit
  }

  readonly load: LoadResource = async (given) => {
    const load = { ...given, url: withoutFragment(given.url) }
    // Servers may send a different response to each origin, to each Accept, and to a request with cookies.
    const key = [load.url, load.isCrossSite, ...Object.values(load.headers)].join(' ')
    const kept = this.#replies.get(key)
    if (kept !== undefined) {
      this.#replies.delete(key)
      this.#replies.set(key, kept)
      return kept
    }
    return this.#pending.get(key) ?? this.#fetch(key, load)
  }

  async #fetch(key: string, load: ResourceLoad): Promise<ResourceReply> {
    const pending = this.#load(load)
    this.#pending.set(key, pending)
    try {
      const reply = await pending
      if (mayKeep(reply)) this.#keep(key, reply)
      return reply
    } finally {
      this.#pending.delete(key)
    }
  }

  #keep(key: string, reply: ResourceReply): void {
    this.#bytes += sizeOf(key, reply)
    this.#replies.set(key, reply)
    for (const [oldest, old] of this.#replies) {
      if (this.#bytes <= this.#limit) break
      this.#bytes -= sizeOf(oldest, old)
      this.#replies.delete(oldest)
    }
  }
}

/** Returns whether other pages may get the same response. A failure isn't kept: the next request may succeed. */
function mayKeep(reply: ResourceReply): boolean {
  if ('refused' in reply) return false
  const { status, headers } = reply
  const isLasting = status < 400 || status === 404 || status === 410
  const control = String(headers['cache-control'] ?? '')
  return isLasting && !/no-store|private/i.test(control)
}

/** Returns roughly the number of bytes that a reply takes. */
function sizeOf(key: string, reply: ResourceReply): number {
  return 1_000 + 2 * key.length + ('body' in reply ? reply.body.length : 0)
}
