import type { LookupAddress } from 'node:dns'
import { type IpFamily, PinnedAddresses } from '../../fetch/addresses/pinned-addresses.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import { lookUpName } from '../../runtime/dns-lookup.ts'
import type { CommitBarrier } from '../../state/commit-barrier.ts'
import { AddressCache } from './address-cache.ts'

interface AddressLookupParts {
  readonly barrier: CommitBarrier
  readonly config: { readonly connectTimeout: number }
  readonly connection: {
    /** Fixed addresses of hosts: `host:port:address`. */
    readonly resolve: readonly string[]
    /** The only family of addresses that is connected to; undefined for both. */
    readonly family: IpFamily | undefined
  }
  readonly frontier: Pick<Frontier, 'setAddress'>
}

/** Looks up the addresses of hosts for the frontier, which needs them with `--per-ip`. */
export class AddressLookups {
  readonly #parts: AddressLookupParts
  readonly #onFound: () => void
  readonly #pinned: PinnedAddresses
  readonly #addresses: AddressCache
  #isClosed = false

  /** @param onFound called when the frontier has got an address */
  constructor(parts: AddressLookupParts, onFound: () => void) {
    this.#parts = parts
    this.#onFound = onFound
    const { config, connection } = parts
    this.#pinned = new PinnedAddresses(connection.resolve)
    const { family } = connection
    this.#addresses = new AddressCache(config.connectTimeout, async (name) =>
      this.#usable(await lookUpName(name, { family })),
    )
  }

  async find(host: string): Promise<void> {
    const address = this.#pinnedAddress(host) ?? (await this.#addresses.find(host))
    if (this.#isClosed) return
    const { barrier, frontier } = this.#parts
    barrier.pass(() => {
      frontier.setAddress(host, address, performance.now())
      this.#onFound()
    })
  }

  /** Returns the fixed address of a host, the first of several in sort order; undefined if there is none. */
  #pinnedAddress(host: string): string | undefined {
    const places = /:\d+$/.test(host) ? [host] : [`${host}:443`, `${host}:80`]
    const pinned = places.flatMap((place) => this.#pinned.of(place) ?? [])
    return this.#usable(pinned).toSorted()[0]
  }

  /** Returns the addresses that requests may connect to. */
  #usable(addresses: readonly LookupAddress[]): string[] {
    const { family: wanted } = this.#parts.connection
    const usable = addresses.filter(({ family }) => wanted === undefined || family === wanted)
    return usable.map(({ address }) => address)
  }

  close(): void {
    this.#isClosed = true
    this.#addresses.close()
  }
}
