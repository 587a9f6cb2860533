import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { hostAndPort } from '../../url/host-key.ts'
import { ipFamily, withoutBrackets } from '../../url/ip-family.ts'
import { FetchFailure } from '../fetch-failure.ts'
import { type IpFamily, PinnedAddresses } from './pinned-addresses.ts'
import { isPrivateName, isPublicAddress } from './private-address.ts'
import type { AddressResolver } from './resolver.ts'
import { SeedHosts, type SeedHostsMemory } from './seed-hosts.ts'

export interface GuardOptions {
  /** True if all private addresses are allowed. */
  readonly allowPrivate: boolean
  /** Hosts and ports of seeds, which may have private addresses. */
  readonly seedHosts: SeedHostsMemory
  /** Fixed addresses of hosts: `host:port:address`. */
  readonly resolve?: readonly string[]
  /** The only family of addresses to connect to; undefined for both. */
  readonly family?: IpFamily | undefined
}

/** The addresses that sockets may connect to. */
export type Reach = 'any' | 'public' | 'private'

/** Maximum number of remembered origins whose names are allowed. */
const MAX_ALLOWED_NAMES = 1_000

/**
 * Decides which addresses of a host the crawler may connect to. Sites control their links and the addresses of their
 * names, so the guard keeps a crawl away from private addresses.
 */
export class AddressGuard {
  /** The only family of addresses to connect to. */
  readonly family: IpFamily | undefined
  readonly #allowPrivate: boolean
  readonly #pinned: PinnedAddresses
  readonly #seedHosts: SeedHosts
  readonly #resolve: AddressResolver
  /** Origins whose names are allowed, since each request checks its origin. */
  readonly #allowedNames = new Set<string>()

  constructor(options: GuardOptions, resolve: AddressResolver) {
    const { allowPrivate, family, resolve: pins = [], seedHosts } = options
    this.family = family
    this.#pinned = new PinnedAddresses(pins)
    this.#allowPrivate = allowPrivate
    this.#seedHosts = new SeedHosts(seedHosts)
    this.#resolve = resolve
  }

  /**
   * Returns the addresses that sockets to a host may connect to. A private seed may not connect to public addresses:
   * otherwise the owner of the name could learn which links private pages have. Rejects if a look-up fails.
   * @param hostAndPort in the form of `SeedHostsMemory`
   */
  async reachOf(hostAndPort: string, hostname: string): Promise<Reach> {
    if (this.#allowPrivate) return 'any'
    const known = this.#seedHosts.isPrivate(hostAndPort)
    if (known !== undefined) return known ? 'private' : 'public'
    const addresses = ipFamily(hostname)
      ? [{ address: hostname }]
      : await this.#addressesOf(hostname, hostAndPort)
    const isPrivate = !addresses.some(({ address }) => isPublicAddress(address))
    return this.#seedHosts.record(hostAndPort, isPrivate) ? 'private' : 'public'
  }

  /** Returns true if `checkName` has allowed an origin before, so it needn't be checked again. */
  hasAllowed(origin: string): boolean {
    return this.#allowedNames.has(origin)
  }

  /**
   * Refuses hosts whose names are private addresses, or addresses of the wrong family. With a proxy, which looks names
   * up itself, nothing more can be checked.
   * @throws FetchFailure, for a private address unless a seed is at this host and port
   */
  checkName(origin: string): void {
    if (this.family !== undefined) checkFamily(new URL(origin), this.family)
    const mayBePrivate = this.#allowPrivate || this.#seedHosts.isPrivate(hostAndPort(origin))
    // The finding about a seed's host is unknown before its first look-up.
    if (mayBePrivate === undefined) return
    const { hostname } = new URL(origin)
    if (!mayBePrivate && isPrivateName(hostname)) {
      throw unreachableAddress('public', hostname, hostname)
    }
    if (this.#allowedNames.size >= MAX_ALLOWED_NAMES) this.#allowedNames.clear()
    this.#allowedNames.add(origin)
  }

  /** Returns true if a host and port have fixed addresses (`--resolve`). */
  isPinned(hostAndPort: string): boolean {
    return this.#pinned.of(hostAndPort) !== undefined
  }

  /**
   * Returns the fixed address of a host and port for a proxy to connect to; undefined if there is none.
   * @throws FetchFailure if the crawl may not connect to it
   */
  async pinnedAddress(hostAndPort: string, hostname: string): Promise<string | undefined> {
    if (!this.isPinned(hostAndPort)) return undefined
    const reach = await this.reachOf(hostAndPort, hostname)
    const addresses = await this.#addressesOf(hostname, hostAndPort)
    return addressesWithin(reach, hostname, addresses)[0]?.address
  }

  /** Returns the look-up function for sockets to a host and port that may connect to the addresses of `reach`. */
  lookupFor(reach: Reach, hostAndPort: string): LookupFunction {
    return (hostname, options, callback) => {
      this.#addressesOf(hostname, hostAndPort)
        .then((addresses) => addressesWithin(reach, hostname, addresses))
        .then(
          (chosen) => {
            if (options.all === true) callback(null, chosen)
            else callback(null, chosen[0]?.address ?? '', chosen[0]?.family)
          },
          (error: NodeJS.ErrnoException) => callback(error, []),
        )
    }
  }

  /** Returns the addresses of a host in the allowed family: its fixed addresses, or those of its name. */
  async #addressesOf(hostname: string, hostAndPort: string): Promise<readonly LookupAddress[]> {
    const all = this.#pinned.of(hostAndPort) ?? (await this.#resolve(hostname))
    if (this.family === undefined) return all
    const wanted = all.filter(({ family }) => family === this.family)
    if (wanted.length === 0) throw noAddress(hostname, this.family)
    return wanted
  }
}

/** @throws FetchFailure if none of the addresses is within reach */
function addressesWithin(
  reach: Reach,
  hostname: string,
  addresses: readonly LookupAddress[],
): LookupAddress[] {
  // The copy makes sure that the socket connects to the addresses that were checked.
  const fixed = addresses.map(({ address, family }) => ({ address, family }))
  const open = fixed.filter(({ address }) => isWithin(reach, address))
  if (open.length === 0) throw unreachableAddress(reach, hostname, fixed[0]?.address)
  return open
}

function checkFamily({ hostname }: URL, wanted: IpFamily): void {
  const family = ipFamily(withoutBrackets(hostname))
  if (family > 0 && family !== wanted) throw noAddress(hostname, wanted)
}

function noAddress(hostname: string, family: IpFamily): FetchFailure {
  const message = `${hostname} has no address of IPv${family}, and --ipv${family} allows no other`
  return new FetchFailure('dns-failure', message, 'permanent')
}

/** Returns true if a socket with this reach may connect to an address. */
export function isWithin(reach: Reach, address: string): boolean {
  return reach === 'any' || isPublicAddress(address) === (reach === 'public')
}

/** Returns the failure of a host whose address sockets with this reach may not connect to. */
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
  const message = `${where} ${why}; --allow-private allows requests to it`
  return new FetchFailure('private-address', message, 'permanent')
}
