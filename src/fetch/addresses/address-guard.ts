import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { hostAndPort } from '../../url/host-key.ts'
import { FetchFailure } from '../fetch-failure.ts'
import { isPublicAddress } from './ip-address.ts'
import type { ResolveName } from './resolver.ts'
import { SeedHosts, type SeedHostsMemory } from './seed-hosts.ts'

export interface GuardOptions {
  /** Whether private addresses are open to all. */
  readonly allowPrivate: boolean
  /** Hosts and ports that are open where they are themselves private. */
  readonly seedHosts: SeedHostsMemory
}

/** Which addresses sockets may go to. */
export type Reach = 'any' | 'public' | 'private'

/** Names that are the machine's own, to all resolvers (RFC 6761, 6.3). */
const LOCAL = /(?:^|\.)localhost$/

/** Keeps a crawl from private addresses: sites decide where links and their own names lead. */
export class AddressGuard {
  readonly #allowPrivate: boolean
  readonly #seedHosts: SeedHosts
  readonly #resolve: ResolveName

  constructor({ allowPrivate, seedHosts }: GuardOptions, resolve: ResolveName) {
    this.#allowPrivate = allowPrivate
    this.#seedHosts = new SeedHosts(seedHosts)
    this.#resolve = resolve
  }

  /**
   * Where sockets to a host may go: a seed that is private itself has no business with public addresses, which its
   * pages would be told of. Rejects when it can't be found out.
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
   * Behind a proxy nothing is looked up here: what can be told is whether a host is private by its name.
   * @throws FetchFailure when it is, and no seed is itself at this host and port
   */
  checkName(origin: string): void {
    if (this.#allowPrivate) return
    const hostname = new URL(origin).hostname.replace(/^\[|\]$|\.$/g, '')
    const isPrivate = isIP(hostname) ? !isPublicAddress(hostname) : LOCAL.test(hostname)
    if (isPrivate && this.#seedHosts.isPrivate(hostAndPort(origin)) === false) {
      throw unreachableAddress('public', hostname, hostname)
    }
  }

  /** Looks names up for sockets that may go so far. */
  lookupFor(reach: Reach): LookupFunction {
    return (hostname, options, callback) => {
      this.#lookup(hostname, options.all === true, callback, (addresses) => {
        // Each is read once: what is checked is what is connected to.
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

/** Whether sockets may go to an address. */
export function isWithin(reach: Reach, address: string): boolean {
  return reach === 'any' || isPublicAddress(address) === (reach === 'public')
}

/** The failure of a host that is where the crawl must not go. */
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
