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
  #looks = 0

  /**
   * @param limit milliseconds without a beat after which a worker is stalled
   * @param look called at each check, to have the worker raise its pulse
   * @param stalled called once
   */
  constructor(pulse: Pulse, limit: number, look: () => void, stalled: () => void) {
    this.#pulse = pulse
    this.#beats = pulse.beats
    const tick = Math.min(TICK_MS, limit)
    this.#timer = setInterval(() => {
      look()
      if (this.#looksWithoutBeat() * tick < limit) return
      this.stop()
      stalled()
    }, tick).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #looksWithoutBeat(): number {
    const { beats } = this.#pulse
    this.#looks = beats === this.#beats ? this.#looks + 1 : 0
    this.#beats = beats
    return this.#looks
  }
}
