import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicTime } from '../../throttle/monotonic-time.ts'
import type { SharedRate } from '../../throttle/shared-rate.ts'
import type { JobQueue, RateDemand } from '../job-queue.ts'
import { ServerClock } from './server-clock.ts'

/** The rates of a crawl; undefined without `--rate` or `--bandwidth`. */
export interface CrawlRates {
  readonly requestRate?: SharedRate | undefined
  readonly byteRate?: SharedRate | undefined
}

/** Milliseconds between two calls, on average: processes must not get their turn in the same order each time. */
const SLICE_MS = 100
/** Milliseconds between two looks at the demand. */
const LOOK_MS = 20

/** Reserves permits of the rates that this process shares with others, for a slice of time at once. */
export class RateExchange {
  readonly #queue: JobQueue
  readonly #rates: readonly NamedRate[]
  readonly #clock = new ServerClock()

  constructor(queue: JobQueue, { requestRate, byteRate }: CrawlRates) {
    this.#queue = queue
    this.#rates = [
      ...(requestRate === undefined ? [] : [new NamedRate('requests', requestRate)]),
      ...(byteRate === undefined ? [] : [new NamedRate('bytes', byteRate)]),
    ]
  }

  /** Reserves permits until it is stopped. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#rates.length === 0) return
    let callAt = 0
    while (!signal.aborted) {
      if (performance.now() >= callAt && this.#rates.some((rate) => rate.isShort)) {
        callAt = performance.now() + SLICE_MS * (0.5 + Math.random())
        await this.#reserve()
      }
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #reserve(): Promise<void> {
    const sent = monotonicTime()
    const { now, grants } = await this.#queue.reserve(this.#rates.map((rate) => rate.takeDemand()))
    this.#clock.compare(now, sent, monotonicTime())
    for (const [index, { delay, count }] of grants.entries()) {
      this.#rates[index]?.rate.reserve(this.#clock.localTime(now + delay), count)
    }
  }
}

/** A rate, and how many of its permits are in demand. */
class NamedRate {
  readonly #name: RateDemand['name']
  readonly rate: SharedRate
  #taken = 0

  constructor(name: RateDemand['name'], rate: SharedRate) {
    this.#name = name
    this.rate = rate
  }

  /** True when requests wait that have no reserved permit. */
  get isShort(): boolean {
    return this.#needed > 0
  }

  /** Returns the demand since the last call. */
  takeDemand(): RateDemand {
    const { perSecond } = this.rate.memory
    const taken = (this.rate.taken - this.#taken) >>> 0
    this.#taken = this.rate.taken
    return { name: this.#name, perSecond, needed: this.#needed, wanted: 2 * taken }
  }

  get #needed(): number {
    return Math.max(0, this.rate.waiting - this.rate.reserved)
  }
}
