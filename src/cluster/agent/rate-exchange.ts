import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicTime } from '../../throttle/monotonic-time.ts'
import type { SharedRate } from '../../throttle/shared-rate.ts'
import type { JobQueue, RateDemand } from '../job-queue.ts'
import { ServerClock } from '../server-clock.ts'

/** The rates of a crawl; undefined without `--rate` or `--bandwidth`. */
export interface CrawlRates {
  readonly requestRate?: SharedRate | undefined
  readonly byteRate?: SharedRate | undefined
}

/** Average milliseconds between two calls. The actual time varies, so that the order of the processes varies. */
const SLICE_MS = 100
/** Milliseconds between two checks of the demand. */
const CHECK_MS = 20
/**
 * Fraction by which the rate is raised while lost permits are made up for. 100 ms still see at most one permit more
 * than their share: SharedRate enforces that.
 */
const MAKE_UP = 0.05

/** Reserves permits of the rates that this process shares with others, for one slice of time after the other. */
export class RateExchange {
  readonly #queue: Pick<JobQueue, 'reserve'>
  readonly #rates: readonly NamedRate[]
  readonly #clock = new ServerClock()

  constructor(queue: Pick<JobQueue, 'reserve'>, { requestRate, byteRate }: CrawlRates) {
    this.#queue = queue
    this.#rates = [
      ...(requestRate === undefined ? [] : [new NamedRate('requests', requestRate)]),
      ...(byteRate === undefined ? [] : [new NamedRate('bytes', byteRate)]),
    ]
  }

  /** Reserves permits until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#rates.length === 0) return
    let callAt = 0
    while (!signal.aborted) {
      if (performance.now() >= callAt && this.#rates.some((rate) => rate.isShort)) {
        callAt = performance.now() + SLICE_MS * (0.5 + Math.random())
        await this.#reserve()
      }
      await sleep(CHECK_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #reserve(): Promise<void> {
    const sent = monotonicTime()
    const demands = this.#rates.map((rate) => rate.takeDemand())
    const { now, grants } = await this.#queue.reserve(demands)
    this.#clock.compare(now, sent, monotonicTime())
    for (const [index, { delay, count }] of grants.entries()) {
      const { perSecond } = demands[index] ?? {}
      this.#rates[index]?.reserve(this.#clock.localTime(now + delay), count, perSecond)
    }
  }
}

/** A rate, and its demand for permits. */
class NamedRate {
  readonly #name: RateDemand['name']
  readonly #rate: SharedRate
  #taken = 0
  #lost = 0
  /** Lost permits that still have to be made up for. */
  #owed = 0

  constructor(name: RateDemand['name'], rate: SharedRate) {
    this.#name = name
    this.#rate = rate
  }

  /** True if requests wait for which no permit is reserved. */
  get isShort(): boolean {
    return this.#needed > 0
  }

  /** Returns the demand since the last call. */
  takeDemand(): RateDemand {
    const { perSecond } = this.#rate.memory
    const { taken, lost } = this.#rate
    const wanted = 2 * ((taken - this.#taken) >>> 0)
    // At most a second's worth of lost permits is made up for, since unused permits are not saved up.
    this.#owed = Math.min(this.#owed + ((lost - this.#lost) >>> 0), perSecond)
    this.#taken = taken
    this.#lost = lost
    const faster = this.#owed >= 1 ? 1 + MAKE_UP : 1
    return { name: this.#name, perSecond: perSecond * faster, needed: this.#needed, wanted }
  }

  /**
   * Adds permits that were reserved for a demand.
   * @param perSecond rate of the demand
   */
  reserve(from: number, count: number, perSecond = this.#rate.memory.perSecond): void {
    if (perSecond > this.#rate.memory.perSecond) this.#owed -= (count * MAKE_UP) / (1 + MAKE_UP)
    this.#rate.reserve(from, count, perSecond)
  }

  get #needed(): number {
    return Math.max(0, this.#rate.waiting - this.#rate.reserved)
  }
}
