import type { EventBarrier } from '../../runtime/event-barrier.ts'
import type { CrawlState } from '../crawl-state.ts'
import { AddressCache } from './address-cache.ts'

/** Finds out at which addresses hosts are, for `--per-ip`. */
export class AddressLookups {
  readonly #state: CrawlState
  readonly #gate: EventBarrier
  readonly #found: () => void
  readonly #addresses: AddressCache
  #isOver = false

  /** @param found called when the frontier has learned of another address */
  constructor(state: CrawlState, gate: EventBarrier, found: () => void) {
    this.#state = state
    this.#gate = gate
    this.#found = found
    this.#addresses = new AddressCache(state.config.connectTimeout)
  }

  async find(host: string): Promise<void> {
    const address = await this.#addresses.find(host)
    if (this.#isOver) return
    this.#gate.pass(() => {
      this.#state.frontier.setAddress(host, address, performance.now())
      this.#found()
    })
  }

  close(): void {
    this.#isOver = true
    this.#addresses.close()
  }
}
