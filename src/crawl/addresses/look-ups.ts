import type { Gate } from '../../runtime/event-barrier.ts'
import type { CrawlState } from '../crawl-state.ts'
import { AddressBook } from './address-book.ts'

/** Finds out at which addresses hosts are, for `--per-ip`. */
export class LookUps {
  readonly #state: CrawlState
  readonly #gate: Gate
  readonly #found: () => void
  readonly #addresses: AddressBook
  #isOver = false

  /** @param found called when the frontier has learned of another address */
  constructor(state: CrawlState, gate: Gate, found: () => void) {
    this.#state = state
    this.#gate = gate
    this.#found = found
    this.#addresses = new AddressBook(state.config.connectTimeout)
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
