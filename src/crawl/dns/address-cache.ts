import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import { BoundedMap } from '../../collections/bounded-map.ts'
import { MAX_LOOKUPS } from '../../runtime/dns-lookup.ts'
import { withoutPort } from '../../url/host-key.ts'
import { ipFamily, withoutBrackets } from '../../url/ip-family.ts'

const MAX_NAMES = 10_000

type ResolveAddresses = (hostname: string) => Promise<readonly string[]>

/** Looks up addresses of hosts, a few at a time, and caches those that are found. */
export class AddressCache {
  readonly #resolve: ResolveAddresses
  readonly #timeout: number
  readonly #lookups = new PQueue({ concurrency: MAX_LOOKUPS })
  readonly #known = new BoundedMap<string, Promise<string | undefined>>(MAX_NAMES)

  /** @param timeout milliseconds for a look-up */
  constructor(timeout: number, resolve: ResolveAddresses) {
    this.#resolve = resolve
    this.#timeout = timeout
  }

  /** Returns the address of a host, the first of several in sort order. Resolves to undefined if none is found. */
  find(hostKey: string): Promise<string | undefined> {
    const name = withoutBrackets(withoutPort(hostKey))
    if (ipFamily(name) > 0) return Promise.resolve(name)
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const found = this.#lookups.add(() => this.#lookUp(name))
    this.#known.set(name, found)
    return found
  }

  /** Drops the look-ups that wait: their promises stay pending. */
  close(): void {
    this.#lookups.pause()
    this.#lookups.clear()
  }

  async #lookUp(name: string): Promise<string | undefined> {
    const patience = new AbortController()
    try {
      const late = sleep(this.#timeout, [], { signal: patience.signal, ref: false })
      const addresses = await Promise.race([this.#resolve(name), late])
      const [first] = [...addresses].sort()
      if (first === undefined) this.#known.delete(name)
      return first
    } catch {
      this.#known.delete(name)
      return undefined // the fetch from the host will report the failure
    } finally {
      patience.abort()
    }
  }
}
