import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fifo } from '../../frontier/fifo.ts'
import { lookUpName } from '../../runtime/name-lookup.ts'

/** The system looks few names up at a time. */
const CONCURRENCY = 16
const MAX_NAMES = 10_000

type Resolve = (hostname: string) => Promise<readonly string[]>

/** At which address hosts are: asked of the system, a bounded number at a time, and remembered. */
export class AddressCache {
  readonly #resolve: Resolve
  readonly #timeout: number
  readonly #waiting = new Fifo<() => void>()
  #running = 0
  #isClosed = false
  readonly #known = new Map<string, Promise<string | undefined>>()

  /** @param timeout milliseconds for one name */
  constructor(timeout: number, resolve: Resolve = askSystem) {
    this.#resolve = resolve
    this.#timeout = timeout
  }

  /**
   * The address that stands for a host: of several the first in order, however they are rotated.
   * Undefined when there is none to be found.
   */
  find(hostKey: string): Promise<string | undefined> {
    const name = hostKey.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
    if (isIP(name) > 0) return Promise.resolve(name)
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const found = this.#ask(name)
    const [oldest] = this.#known.keys()
    if (this.#known.size >= MAX_NAMES && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(name, found)
    return found
  }

  /** Names that wait are no longer asked for. */
  close(): void {
    this.#isClosed = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) next()
  }

  async #ask(name: string): Promise<string | undefined> {
    if (this.#running >= CONCURRENCY) await this.#turn()
    if (this.#isClosed) return undefined
    this.#running++
    const patience = new AbortController()
    try {
      const late = sleep(this.#timeout, [], { signal: patience.signal, ref: false })
      const addresses = await Promise.race([this.#resolve(name), late])
      return [...addresses].sort()[0]
    } catch {
      return undefined // the worker that fetches from the host will tell
    } finally {
      patience.abort()
      this.#running--
      this.#waiting.shift()?.()
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

async function askSystem(hostname: string): Promise<readonly string[]> {
  return (await lookUpName(hostname)).map(({ address }) => address)
}
