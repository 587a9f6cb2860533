import { LONGEST_PAUSE_MS } from '../../wire/longest-pause.ts'

/** What a request tells of its host. */
export interface HostReport {
  /** `failed` after the last attempt only: no response, 429 or 5xx. `unsure` speaks for neither. */
  readonly health: 'well' | 'unsure' | 'failed'
  /** Milliseconds that the request took; absent when there was none. */
  readonly ms?: number | undefined
  /** Milliseconds that the host wants to be left alone for. */
  readonly retryAfter?: number | undefined
}

/** How much of the smoothed latency a new one makes up, as in TCP (RFC 6298, 2.3). */
const SMOOTHING = 1 / 8

/** A host that is given up. */
export interface FailedHost {
  readonly key: string
  readonly reason: string
  /** URLs that wait. */
  readonly waiting: number
}

/** Whether a host is worth asking. */
export class HostHealth {
  readonly #maxErrors: number
  #errors: number
  /** Why it is given up. */
  failure: string | undefined
  /** Milliseconds that a request takes of late, smoothed; undefined before the first. */
  latency: number | undefined

  /** @param past failures in a row, and why it was given up */
  constructor(
    maxErrors: number,
    past: { readonly errors: number; readonly failure: string | undefined },
  ) {
    this.#maxErrors = maxErrors
    this.#errors = past.errors
    this.failure = past.failure
  }

  /** Failures in a row. */
  get errors(): number {
    return this.#errors
  }

  /** Goes on from what another process knows of the host. */
  resume(errors: number, failure: string | undefined): void {
    this.#errors = errors
    this.failure = failure
  }

  /** True when that was the last straw. */
  note({ health, ms, retryAfter = 0 }: HostReport): boolean {
    if (ms !== undefined) this.latency = smoothed(this.latency, ms)
    if (health === 'well') this.#errors = 0
    else if (health === 'failed') this.#errors++
    if (this.failure !== undefined) return false
    if (retryAfter > LONGEST_PAUSE_MS) this.failure = 'it wants to be left alone for over a day'
    else if (this.#errors >= this.#maxErrors) this.failure = `${this.#errors} failures in a row`
    return this.failure !== undefined
  }
}

function smoothed(before: number | undefined, ms: number): number {
  return before === undefined ? ms : before + SMOOTHING * (ms - before)
}
