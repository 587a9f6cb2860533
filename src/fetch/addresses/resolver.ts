import type { LookupAddress } from 'node:dns'
import { lookUpName } from '../../runtime/name-lookup.ts'

/** All addresses of a host name; rejects with the errors of `dns.lookup`. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>

interface Bounds {
  /** Names that are remembered. */
  readonly size: number
  /** Milliseconds for which addresses are remembered. */
  readonly ttl: number
  /** Milliseconds for which it is remembered that there is no such name. */
  readonly negativeTtl: number
}

interface Entry {
  readonly answer: Promise<readonly LookupAddress[]>
  expires: number
}

const BOUNDS: Bounds = { size: 10_000, ttl: 60_000, negativeTtl: 10_000 }

/** Codes of answers that there is no such name, or no address of it. */
export const NO_SUCH_NAME = /^ENOTFOUND$|^ENODATA$/

/**
 * Asks the resolver of the system, once for all who ask at the same time, and remembers what it
 * says. Failures of the resolver itself are not remembered: another attempt is to be a real one.
 */
export function cachingResolver(
  resolve: ResolveName = (hostname) => lookUpName(hostname),
  bounds: Bounds = BOUNDS,
  now: () => number = () => performance.now(),
): ResolveName {
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
