import type { JobQueue, LeaseReply, LeaseRequest, PartitionView, PushedUrl } from '../job-queue.ts'
import { sum } from '../partition-counts.ts'

/** The calls of the exchange and of the progress monitor. */
export type ExchangedQueue = Pick<
  JobQueue,
  | ('exchange' | 'push' | 'watchPartitions')
  | ('mayHaveLostUrls' | 'outageCount' | 'partitionCount' | 'partitionOf')
>

/**
 * A queue that notices when a server comes back with an older copy of the job: a partition then has fewer visits than
 * before. After an outage, it checks this before it returns URLs, since they may have been visited already.
 */
export class RollbackAwareQueue implements ExchangedQueue {
  readonly #queue: JobQueue
  readonly #onRollback: (visits: number) => void
  #views: readonly PartitionView[] = []
  /** The `outageCount` before the last check. */
  #checkedOutages: number
  #checking: Promise<void> | undefined

  /** @param onRollback called with the number of visits that are missing at least */
  constructor(queue: JobQueue, onRollback: (visits: number) => void) {
    this.#queue = queue
    this.#onRollback = onRollback
    this.#checkedOutages = queue.outageCount
  }

  get mayHaveLostUrls(): boolean {
    return this.#queue.mayHaveLostUrls
  }

  get outageCount(): number {
    return this.#queue.outageCount
  }

  get partitionCount(): number {
    return this.#queue.partitionCount
  }

  partitionOf(host: string): number {
    return this.#queue.partitionOf(host)
  }

  push(partition: number, urls: readonly PushedUrl[]): Promise<void> {
    return this.#queue.push(partition, urls)
  }

  async exchange(partition: number, request: LeaseRequest): Promise<LeaseReply> {
    const reply = await this.#queue.exchange(partition, request)
    const hasUrls = reply.hosts.some(({ urls }) => urls.length > 0)
    if (hasUrls && this.outageCount !== this.#checkedOutages) await this.#checkOnce()
    return reply
  }

  /** Must not run at the same time as another call that views partitions. */
  async watchPartitions(maxDepth: number, ttl: number): Promise<PartitionView[]> {
    const views = await this.#queue.watchPartitions(maxDepth, ttl)
    this.#compare(views)
    return views
  }

  /** Checks the partitions in one call for all exchanges that wait for it. */
  #checkOnce(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #check(): Promise<void> {
    const { outageCount } = this
    this.#compare(await this.#queue.viewPartitions())
    this.#checkedOutages = outageCount
  }

  #compare(views: readonly PartitionView[]): void {
    const missing = this.#views.map(({ visits }, index) => {
      return Math.max(0, visits - (views[index]?.visits ?? visits))
    })
    this.#views = views
    const visits = sum(missing)
    if (visits > 0) this.#onRollback(visits)
  }
}
