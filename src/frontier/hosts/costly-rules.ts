import type { HostRobots } from './host-robots.ts'

/**
 * Comparisons for which a host pauses one millisecond. They take about a tenth of that on the main thread,
 * while all other hosts wait.
 */
const PER_MILLISECOND = 20_000

/** Returns whether comparing the last URL with the rules of a host took so long that it delays other hosts. */
export function isCostly({ cost }: Pick<HostRobots, 'cost'>): boolean {
  return cost >= PER_MILLISECOND
}

/**
 * Spaces out URLs that are costly to compare with their robots.txt, over all hosts. However many such
 * files and URLs there are, most of the time is left for other hosts.
 */
export class CostlyRules {
  #notBefore = 0

  /** Returns when a host may be requested after a comparison of this cost. */
  resumeAt(cost: number, now: number): number {
    this.#notBefore = Math.max(this.#notBefore, now) + cost / PER_MILLISECOND
    return this.#notBefore
  }
}
