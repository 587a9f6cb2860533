import type { PartitionView } from './job-queue.ts'

/** Returns the number of unfinished URLs in some partitions. */
export function countOpen(views: readonly PartitionView[]): number {
  return sum(views.flatMap(({ open }) => open.map(([, count]) => count)))
}

/** Returns the number of hosts with URLs in some partitions. */
export function countActive(views: readonly PartitionView[]): number {
  return sum(views.map(({ active }) => active))
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
