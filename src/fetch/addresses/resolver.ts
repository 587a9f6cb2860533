import type { LookupAddress } from 'node:dns'
import { lookUpName } from '../../runtime/dns-lookup.ts'

/** Returns all addresses of a host name; rejects with the errors of `dns.lookup`. */
export type AddressResolver = (hostname: string) => Promise<readonly LookupAddress[]>

interface Bounds {
  /** Names in the cache. */
  readonly size: number
  /** Milliseconds for which addresses are cached. */
  readonly ttl: number
  /** Milliseconds for which it is cached that there is no such name. */
  readonly negativeTtl: number
}

interface Entry {
  readonly answer: Promise<readonly LookupAddress[]>
  expires: number
}

const BOUNDS: Bounds = { size: 10_000, ttl: 60_000, negativeTtl: 10_000 }

/** Codes of errors that there is no such name, or no address of it. */
export const NO_SUCH_NAME = /^ENOTFOUND$|^ENODATA$/

/**
 * Caches the addresses of names, and looks each up once for all callers at the same time. Failures of the resolver
 * itself are not cached: another attempt looks up again.
 */
export function cachingResolver(
  resolve: AddressResolver = (hostname) => lookUpName(hostname),
  bounds: Bounds = BOUNDS,
  now: () => number = () => performance.now(),
): AddressResolver {
  const entries = new Map<string, Entry>()

  const forgetIfFull = () => {
    const [oldest] = entries.keys()
    if (entries.size >= bounds.size && oldest !== undefined) entries.delete(oldest)
  }
  const ask = (hostname: string) => {
    entries.delete(hostname)
    forgetIfFull()
    const answer = resolve(hostname)
    const entry: Entry = { answer, expires: Number.POSITIVE_INFINITY }
    entries.set(hostname, entry)
    answer.then(
      () => {
        entry.expires = now() + bounds.ttl
      },
      (error: NodeJS.ErrnoException) => {
        entry.expires = NO_SUCH_NAME.test(error.code ?? '') ? now() + bounds.negativeTtl : 0
      },
    )
    return answer
  }

  return (hostname) => {
    const entry = entries.get(hostname)
    return entry !== undefined && now() < entry.expires ? entry.answer : ask(hostname)
  }
}
