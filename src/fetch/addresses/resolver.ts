import { BoundedMap } from '../../collections/bounded-map.ts'
import { codeOf } from '../../errors.ts'
import { lookUpName, type NameAddress, NO_SUCH_NAME } from '../../runtime/dns-lookup.ts'

/** Returns all addresses of a host name; rejects with the errors of `dns.lookup`. */
export type AddressResolver = (hostname: string) => Promise<readonly NameAddress[]>

interface Bounds {
  /** Names in the cache. */
  readonly size: number
  /** Milliseconds for which addresses are cached at least, and those without a time to live. */
  readonly ttl: number
  /** Milliseconds for which addresses are cached at most. */
  readonly maxTtl: number
  /** Milliseconds for which it is cached that there is no such name. */
  readonly negativeTtl: number
}

interface Entry {
  readonly answer: Promise<readonly NameAddress[]>
  expires: number
}

const BOUNDS: Bounds = { size: 5_000, ttl: 60_000, maxTtl: 3_600_000, negativeTtl: 10_000 }

/**
 * Caches the addresses of names, and looks each up once for all callers at the same time. Failures of the resolver
 * itself are not cached: another attempt looks up again.
 */
export function cachingResolver(
  resolve: AddressResolver = (hostname) => lookUpName(hostname),
  bounds: Bounds = BOUNDS,
  now: () => number = () => performance.now(),
): AddressResolver {
  const entries = new BoundedMap<string, Entry>(bounds.size)

  const ask = (hostname: string) => {
    const answer = resolve(hostname)
    const entry: Entry = { answer, expires: Number.POSITIVE_INFINITY }
    entries.set(hostname, entry)
    answer.then(
      (addresses) => {
        entry.expires = now() + timeToLive(addresses, bounds)
      },
      (error: unknown) => {
        entry.expires = codeOf(error) === NO_SUCH_NAME ? now() + bounds.negativeTtl : 0
      },
    )
    return answer
  }

  return (hostname) => {
    const entry = entries.get(hostname)
    return entry !== undefined && now() < entry.expires ? entry.answer : ask(hostname)
  }
}

/** Returns for how many milliseconds addresses are cached. */
function timeToLive(addresses: readonly NameAddress[], { ttl: least, maxTtl }: Bounds): number {
  const shortest = Math.min(...addresses.map(({ ttl = 0 }) => ttl * 1_000), maxTtl)
  return addresses.length > 0 ? Math.max(least, shortest) : least
}
