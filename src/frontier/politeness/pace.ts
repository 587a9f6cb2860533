import type { HostRecord } from '../sqlite/host-store.ts'
import type { Manners } from './politeness.ts'
import { Throttle } from './throttle.ts'

/** How fast a host is asked, but for what robots.txt says. Milliseconds; times of the monotonic clock. */
export class Pace {
  readonly #manners: Manners
  readonly #throttle: Throttle
  #notBefore: number

  constructor(manners: Manners, { notBefore, pause }: Pick<HostRecord, 'notBefore' | 'pause'>) {
    this.#manners = manners
    this.#notBefore = notBefore
    this.#throttle = new Throttle(pause)
  }

  /** Pause between two requests. */
  get delay(): number {
    return Math.max(this.#manners.delay, this.#throttle.delay)
  }

  /** No request before that time. */
  get notBefore(): number {
    return this.#notBefore
  }

  /** What is to be kept of it. */
  get record(): Pick<HostRecord, 'notBefore' | 'pause'> {
    return { notBefore: this.#notBefore, pause: this.#throttle.delay }
  }

  setAside(until: number): void {
    this.#notBefore = Math.max(this.#notBefore, until)
  }

  /** Goes on with the pause of another process. */
  resume(pause: number): void {
    this.#throttle.delay = pause
  }

  /** An answer, or a failure, took so long. */
  learn(ms: number, isFailure: boolean): void {
    const { adaptive, delay } = this.#manners
    if (adaptive === true) this.#throttle.learn(ms, isFailure, delay)
  }
}
