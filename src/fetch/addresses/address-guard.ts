import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { hostAndPort } from '../../url/host-key.ts'
import { FetchFailure } from '../fetch-failure.ts'
import { isPrivateName, isPublicAddress } from './ip-address.ts'
import type { AddressResolver } from './resolver.ts'
import { SeedHosts, type SeedHostsMemory } from './seed-hosts.ts'

export interface GuardOptions {
  /** True if all private addresses are allowed. */
  readonly allowPrivate: boolean
  /** Hosts and ports of seeds, which may be private. */
  readonly seedHosts: SeedHostsMemory
}

/** The addresses that sockets may connect to. */
export type Reach = 'any' | 'public' | 'private'

/** Origins to remember whose names were checked. */
const MAX_PUBLIC_NAMES = 1_000

/** Keeps a crawl away from private addresses: sites choose where links and their own names lead. */
export class AddressGuard {
  readonly #allowPrivate: boolean
  readonly #seedHosts: SeedHosts
  readonly #resolve: AddressResolver
  /** Origins whose names are not private addresses: each page of them is requested here. */
  readonly #publicNames = new Set<string>()

  constructor({ allowPrivate, seedHosts }: GuardOptions, resolve: AddressResolver) {
    this.#allowPrivate = allowPrivate
    this.#seedHosts = new SeedHosts(seedHosts)
    this.#resolve = resolve
  }

  /**
   * Returns the addresses that sockets to a host may connect to. A private seed reaches no public address: whoever
   * has its name would learn what private pages link to. Rejects if a look-up fails.
   * @param hostAndPort as in `SeedHostsMemory`
   */
  async reachOf(hostAndPort: string, hostname: string): Promise<Reach> {
    if (this.#allowPrivate) return 'any'
    const known = this.#seedHosts.isPrivate(hostAndPort)
    if (known !== undefined) return known ? 'private' : 'public'
    const addresses = isIP(hostname) ? [{ address: hostname }] : await this.#resolve(hostname)
    const isPrivate = !addresses.some(({ address }) => isPublicAddress(address))
    return this.#seedHosts.record(hostAndPort, isPrivate) ? 'private' : 'public'
  }

  /**
   * Refuses hosts whose names are private addresses. Behind a proxy, which looks names up, this is all that can be
   * checked.
   * @throws FetchFailure unless a seed is at this host and port
   */
  checkName(origin: string): void {
    if (this.#allowPrivate || this.#publicNames.has(origin)) return
    // A seed's host is open, or is looked up first.
    if (this.#seedHosts.isPrivate(hostAndPort(origin)) !== false) return
    const { hostname } = new URL(origin)
    if (isPrivateName(hostname)) throw unreachableAddress('public', hostname, hostname)
    if (this.#publicNames.size >= MAX_PUBLIC_NAMES) this.#publicNames.clear()
    this.#publicNames.add(origin)
  }

  /** Returns the look-up for sockets with this reach. */
  lookupFor(reach: Reach): LookupFunction {
    return (hostname, options, callback) => {
      this.#lookup(hostname, options.all === true, callback, (addresses) => {
        // Copied: the socket connects to what was checked.
        const fixed = addresses.map(({ address, family }) => ({ address, family }))
        const open = fixed.filter(({ address }) => isWithin(reach, address))
        if (open.length === 0) throw unreachableAddress(reach, hostname, fixed[0]?.address)
        return open
      })
    }
  }

  #lookup(
    hostname: string,
    all: boolean,
    callback: Parameters<LookupFunction>[2],
    choose: (addresses: readonly LookupAddress[]) => readonly LookupAddress[],
  ): void {
    this.#resolve(hostname)
      .then(choose)
      .then(
        (chosen) => {
          if (all) callback(null, [...chosen])
          else callback(null, chosen[0]?.address ?? '', chosen[0]?.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, []),
      )
  }
}

/** Returns whether an address is within reach. */
export function isWithin(reach: Reach, address: string): boolean {
  return reach === 'any' || isPublicAddress(address) === (reach === 'public')
}

/** Returns the failure of a host at an address out of reach. */
export function unreachableAddress(
  reach: Reach,
  hostname: string,
  address: string | undefined,
): FetchFailure {
  const where = address === hostname ? hostname : `${hostname}, which is at ${address},`
  const why =
    reach === 'private'
      ? 'was private when it was first looked up, and is not now'
      : 'is not public'
  const message = `${where} ${why}; --allow-private would let the crawl go there`
  return new FetchFailure('private-address', message, false)
}
