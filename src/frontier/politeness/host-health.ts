/** What a request tells of its host. */
export interface HostReport {
  /** `failed` after the last attempt only: no response, 429 or 5xx. `unsure` speaks for neither. */
  readonly health: 'well' | 'unsure' | 'failed'
  /** Milliseconds that the request took; absent when there was none. */
  readonly ms?: number | undefined
  /** Milliseconds that the host is to be left alone for. */
  readonly retryAfter?: number | undefined
  /** It asked for a longer time than anybody waits. */
  readonly isExcessive?: boolean
}

/** How much of the smoothed latency a new one makes up, as in TCP (RFC 6298, 2.3). */
const SMOOTHING = 1 / 8

/** A host that is given up. */
export interface FailedHost {
  readonly key: string
  readonly reason: string
  /** URLs that wait. */
  readonly waiting: number
  /** Whether it ever answered well. */
  readonly hasAnswered: boolean
}

/** What is kept of a host's health. */
export interface HealthRecord {
  /** Failures in a row. */
  readonly errors: number
  /** How often it asked to be left alone for longer than anybody waits. */
  readonly demands: number
  /** Why it is given up. */
  readonly failure: string | undefined
}

/** Whether a host is worth asking. */
export class HostHealth {
  readonly #maxErrors: number
  #errors: number
  #demands: number
  /** Why it is given up. */
  failure: string | undefined
  /** Milliseconds that a request takes of late, smoothed; undefined before the first. */
  latency: number | undefined

  constructor(maxErrors: number, past: HealthRecord) {
    this.#maxErrors = maxErrors
    this.#errors = past.errors
    this.#demands = past.demands
    this.failure = past.failure
  }

  get record(): HealthRecord {
    return { errors: this.#errors, demands: this.#demands, failure: this.failure }
  }

  /** Goes on from what another process knows of the host. */
  resume({ errors, demands, failure }: HealthRecord): void {
    this.#errors = errors
    this.#demands = demands
    this.failure = failure
  }

  /** True when that was the last straw. */
  note({ health, ms, isExcessive }: HostReport): boolean {
    if (ms !== undefined) this.latency = smoothed(this.latency, ms)
    if (health === 'well') this.#errors = 0
    else if (health === 'failed') this.#errors++
    if (isExcessive === true) this.#demands++
    if (this.failure !== undefined) return false
    this.failure = this.#reasonToGiveUp()
    return this.failure !== undefined
  }

  #reasonToGiveUp(): string | undefined {
    if (this.#errors >= this.#maxErrors) return `${this.#errors} failures in a row`
    if (this.#demands < this.#maxErrors) return undefined
    return `it asked ${this.#demands} times to be left alone for longer than --max-retry-after`
  }
}

function smoothed(before: number | undefined, ms: number): number {
  return before === undefined ? ms : before + SMOOTHING * (ms - before)
}
