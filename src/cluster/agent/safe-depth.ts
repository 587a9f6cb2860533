import type { PartitionView } from '../redis/exchange.ts'
import { countOpen, sum } from '../redis/partition-views.ts'

type Views = readonly PartitionView[]

/**
 * How deep URLs may be handed out, and whether any are left, as one process comes to know it.
 *
 * Partitions are looked at one after the other, and a URL may lead from one that was looked at to one
 * that wasn't. So all are looked at twice: when nothing was enqueued in between (`added` is the same
 * everywhere), a partition that was empty both times was empty all the time, and there was a moment, between
 * the two looks, at which all were (Mattern 1987, "Algorithms for distributed termination detection").
 * The same holds for "nothing at this depth or above": what is found later is deeper.
 */
export class SafeDepth {
  /** Greatest depth that may be handed out. */
  depth = 0
  /** Nothing is left. */
  isOver = false
  /** How each partition stood at the last look. */
  views: Views = []

  /** URLs that are not finished. */
  get open(): number {
    return countOpen(this.views)
  }

  /** Hosts that have something to do. */
  get active(): number {
    return sum(this.views.map(({ active }) => active))
  }

  /** Hosts that are the share of each of so many processes. */
  shareOf(agents: number): number {
    return Math.ceil(this.active / agents)
  }

  /** The last look alone says that more may be handed out, or that nothing is left: that takes another one. */
  get needsSecondLook(): boolean {
    return !this.isOver && shallowest(this.views) > this.depth
  }

  /** All partitions were looked at, each of them later than the last time. */
  update(views: Views): void {
    const before = this.views
    this.views = views
    if (views.some(({ added }, index) => added !== before[index]?.added)) return
    const least = Math.min(shallowest(before), shallowest(views))
    if (least === Number.POSITIVE_INFINITY) this.isOver = true
    else if (least > this.depth) this.depth = least
  }
}

/** Least depth of all that is not finished; infinite when all is. */
function shallowest(views: Views): number {
  return Math.min(...views.map(({ open }) => open[0]?.[0] ?? Number.POSITIVE_INFINITY))
}
