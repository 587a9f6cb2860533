import type { PartitionView } from '../job-queue.ts'
import { countActive, countOpen, sum } from '../partition-counts.ts'

/**
 * Determines the greatest depth at which URLs may be handed out, and whether the job is complete.
 *
 * Partitions are viewed one after the other. A page of a partition that was already viewed may lead to URLs of one that
 * was not. So all partitions are viewed twice. If no URL was pushed in between (`added` is the same everywhere), a
 * partition that was empty both times was empty all the time. Then all partitions were empty at some moment between the
 * two views (Mattern 1987, "Algorithms for distributed termination detection"). The same argument shows that no URL is
 * left at a depth or above it, since URLs that are found later are deeper.
 */
export class JobProgress {
  #depth = 0
  #isComplete = false
  #views: readonly PartitionView[] = []

  /** Greatest depth that may be handed out. */
  get depth(): number {
    return this.#depth
  }

  /** True if the job has no unfinished URL. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The partitions as of the last update. */
  get views(): readonly PartitionView[] {
    return this.#views
  }

  /** Number of unfinished URLs. */
  get open(): number {
    return countOpen(this.#views)
  }

  /** Number of finished URLs with a record. */
  get visits(): number {
    return sum(this.#views.map(({ visits }) => visits))
  }

  /** Number of unfinished URLs that may be handed out. */
  get openNow(): number {
    const counts = this.#views.flatMap(({ open }) => open)
    return sum(counts.flatMap(([depth, count]) => (depth <= this.#depth ? count : [])))
  }

  /** Number of hosts with URLs. */
  get active(): number {
    return countActive(this.#views)
  }

  /** True if only the last view shows a greater depth or the end. Another view has to confirm it. */
  get needsSecondLook(): boolean {
    return !this.#isComplete && shallowest(this.#views) > this.#depth
  }

  /** Milliseconds from the last update until the first lease expires; infinite without leases. */
  get firstEnd(): number {
    return Math.min(...this.#views.map(({ endsIn }) => endsIn ?? Number.POSITIVE_INFINITY))
  }

  /** Returns the number of hosts for each process if `agents` processes lease equally many. */
  shareOf(agents: number): number {
    return Math.ceil(this.active / agents)
  }

  /** Begins anew, since URLs of lesser depths are unfinished again. */
  restart(): void {
    this.#depth = 0
    this.#views = []
  }

  /** Updates the progress from a view of all partitions. The view must have begun after the last one ended. */
  update(views: readonly PartitionView[]): void {
    const before = this.#views
    this.#views = views
    if (views.some(({ added }, index) => added !== before[index]?.added)) return
    const least = Math.min(shallowest(before), shallowest(views))
    if (least === Number.POSITIVE_INFINITY) this.#isComplete = true
    else if (least > this.#depth) this.#depth = least
  }
}

/** Returns the least depth of all unfinished URLs; infinite when there are none. */
function shallowest(views: readonly PartitionView[]): number {
  return Math.min(...views.map(({ open }) => open[0]?.[0] ?? Number.POSITIVE_INFINITY))
}
