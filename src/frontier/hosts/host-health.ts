import { countOf } from '../../english-text.ts'
import type { HealthRecord } from '../storage/stored-host.ts'

/** A request's report on its host. */
export interface HostReport {
  /** `failed` after the last attempt only: no response, 429 or 5xx. `unsure` counts neither way. */
  readonly health: 'well' | 'unsure' | 'failed'
  /** Duration of the request in milliseconds; absent when there was none. */
  readonly ms?: number | undefined
  /** Pause that the host asks for, in milliseconds. */
  readonly retryAfter?: number | undefined
  /** True if the host asks for a longer pause than --max-retry-after allows. */
  readonly isExcessive?: boolean
}

/** Weight of a new value in the smoothed latency, as in TCP (RFC 6298, 2.3). */
const SMOOTHING = 1 / 8

/** Counts the failures of a host, until it is given up. */
export class HostHealth {
  readonly #maxErrors: number
  #errors: number
  #demands: number
  #failure: string | undefined
  #latency: number | undefined

  constructor(maxErrors: number, record: HealthRecord) {
    this.#maxErrors = maxErrors
    this.#errors = record.errors
    this.#demands = record.demands
    this.#failure = record.failure
  }

  /** The reason for giving the host up; undefined if it isn't given up. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Smoothed duration of a request in milliseconds; undefined before the first. */
  get latency(): number | undefined {
    return this.#latency
  }

  get record(): HealthRecord {
    return { errors: this.#errors, demands: this.#demands, failure: this.#failure }
  }

  /** Continues with the values of another process. */
  resume({ errors, demands, failure }: HealthRecord): void {
    this.#errors = errors
    this.#demands = demands
    this.#failure = failure
  }

  /** Gives the host up. */
  giveUp(reason: string): void {
    this.#failure = reason
  }

  /** Applies a report. Returns whether the host is given up because of it. */
  note({ health, ms, isExcessive }: HostReport): boolean {
    if (ms !== undefined) this.#latency = smoothed(this.#latency, ms)
    if (health === 'well') this.#errors = 0
    else if (health === 'failed') this.#errors++
    if (isExcessive === true) this.#demands++
    if (this.#failure !== undefined) return false
    this.#failure = this.#reasonToGiveUp()
    return this.#failure !== undefined
  }

  #reasonToGiveUp(): string | undefined {
    if (this.#errors >= this.#maxErrors) return `${countOf(this.#errors, 'failure')} in a row`
    if (this.#demands < this.#maxErrors) return undefined
    return `its Retry-After was longer than --max-retry-after ${countOf(this.#demands, 'time')}`
  }
}

function smoothed(before: number | undefined, ms: number): number {
  return before === undefined ? ms : before + SMOOTHING * (ms - before)
}
