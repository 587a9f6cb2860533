import { BoundedMap } from '../../collections/bounded-map.ts'
import { codeOf } from '../../errors.ts'
import { type NameAddress, NO_SUCH_NAME } from '../../runtime/dns-lookup.ts'

/** Returns all addresses of a host name. Rejects with the errors of `dns.lookup`. */
export type AddressResolver = (hostname: string) => Promise<readonly NameAddress[]>

interface Bounds {
  /** Maximum number of names in the cache. */
  readonly size: number
  /** Minimum milliseconds for which addresses are cached; also the time for those without a time to live. */
  readonly ttl: number
  /** Maximum milliseconds for which addresses are cached. */
  readonly maxTtl: number
  /** Milliseconds for which the result is cached that a name doesn't exist. */
  readonly negativeTtl: number
}

interface Entry {
  readonly answer: Promise<readonly NameAddress[]>
  expires: number
}

const BOUNDS: Bounds = { size: 5_000, ttl: 60_000, maxTtl: 3_600_000, negativeTtl: 10_000 }

/**
 * Returns a resolver that caches addresses, and makes one look-up for all callers that wait for the same name. Failures
 * of the resolver itself are not cached: the next call looks the name up again.
 */
export function cachingResolver(
  resolve: AddressResolver,
  bounds: Bounds = BOUNDS,
  now: () => number = () => performance.now(),
): AddressResolver {
  const entries = new BoundedMap<string, Entry>(bounds.size)

  const lookUp = (hostname: string) => {
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
    return entry !== undefined && now() < entry.expires ? entry.answer : lookUp(hostname)
  }
}

/** Returns the milliseconds for which addresses are cached. */
function timeToLive(addresses: readonly NameAddress[], { ttl: least, maxTtl }: Bounds): number {
  const shortest = Math.min(...addresses.map(({ ttl = 0 }) => ttl * 1_000), maxTtl)
  return addresses.length > 0 ? Math.max(least, shortest) : least
}
