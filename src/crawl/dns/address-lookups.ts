import type { Frontier } from '../../frontier/frontier.ts'
import type { CommitBarrier } from '../../runtime/commit-barrier.ts'
import { AddressCache } from './address-cache.ts'

interface AddressLookupParts {
  readonly barrier: CommitBarrier
  readonly config: { readonly connectTimeout: number }
  readonly frontier: Pick<Frontier, 'setAddress'>
}

/** Looks up the addresses of hosts for the frontier, which needs them with `--per-ip`. */
export class AddressLookups {
  readonly #parts: AddressLookupParts
  readonly #onFound: () => void
  readonly #addresses: AddressCache
  #isClosed = false

  /** @param onFound called when the frontier has got an address */
  constructor(parts: AddressLookupParts, onFound: () => void) {
    this.#parts = parts
    this.#onFound = onFound
    this.#addresses = new AddressCache(parts.config.connectTimeout)
  }

  async find(host: string): Promise<void> {
    const address = await this.#addresses.find(host)
    if (this.#isClosed) return
    const { barrier, frontier } = this.#parts
    barrier.pass(() => {
      frontier.setAddress(host, address, performance.now())
      this.#onFound()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#addresses.close()
  }
}
