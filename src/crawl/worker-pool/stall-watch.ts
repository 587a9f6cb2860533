import type { Pulse } from '../../messages/pulse.ts'

/** Milliseconds between two checks. */
const TICK_MS = 1_000

/**
 * Notices that a worker is stalled. It counts its checks rather than time, since neither the watch nor the worker runs
 * while the process is suspended.
 */
export class StallWatch {
  readonly #pulse: Pulse
  readonly #timer: NodeJS.Timeout
  #beats: number
  /** Number of checks since the last beat. */
  #checks = 0

  /**
   * @param limit milliseconds without a beat after which a worker is stalled
   * @param ping has the worker raise its pulse; called at each check
   * @param onStalled called once
   */
  constructor(pulse: Pulse, limit: number, ping: () => void, onStalled: () => void) {
    this.#pulse = pulse
    this.#beats = pulse.beats
    const tick = Math.min(TICK_MS, limit)
    this.#timer = setInterval(() => {
      ping()
      if (this.#checksWithoutBeat() * tick < limit) return
      this.stop()
      onStalled()
    }, tick).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #checksWithoutBeat(): number {
    const { beats } = this.#pulse
    this.#checks = beats === this.#beats ? this.#checks + 1 : 0
    this.#beats = beats
    return this.#checks
  }
}
