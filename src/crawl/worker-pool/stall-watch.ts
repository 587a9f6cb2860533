import type { Pulse } from '../../messages/pulse.ts'

/** Milliseconds between two looks. */
const TICK_MS = 1_000

/**
 * Notices that a worker does not get on. It counts its own looks rather than time: while the process is suspended,
 * neither it nor the worker runs.
 */
export class StallWatch {
  readonly #pulse: Pulse
  readonly #timer: NodeJS.Timeout
  #beats: number
  #looks = 0

  /**
   * @param limit milliseconds without a beat after which a worker is stalled
   * @param look called at each look, to have the worker beat
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
