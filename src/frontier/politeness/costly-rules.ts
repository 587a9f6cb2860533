import type { HostRobots } from './host-robots.ts'

/**
 * Comparisons for which a host waits a millisecond. They take a tenth of that or so, on the main thread,
 * and all other hosts wait for them.
 */
const PER_MILLISECOND = 20_000

/** Whether the URL that was last compared with the rules of a host took so much that others feel it. */
export function isCostly({ cost }: Pick<HostRobots, 'cost'>): boolean {
  return cost >= PER_MILLISECOND
}

/**
 * Spaces out URLs that are costly to compare with their robots.txt, over all hosts: however many such
 * files and URLs there are, most of the time is left for others.
 */
export class CostlyRules {
  #notBefore = 0

  /** Returns when the host may go on that has just had a URL compared at this cost. */
  pauseAfter(cost: number, now: number): number {
    this.#notBefore = Math.max(this.#notBefore, now) + cost / PER_MILLISECOND
    return this.#notBefore
  }
}
