import type { FinishedUrl } from '../job-queue.ts'

/** A lease that the shared queue has granted. */
interface NewLease {
  readonly host: string
  readonly partition: number
  /** Id of the lease. */
  readonly epoch: string
  /** True if the shared queue has more URLs of the host. */
  readonly hasMore: boolean
  /** End of the lease, in milliseconds of the lease clock. */
  readonly until: number
  /** Number of pages of the host that other processes have finished. */
  readonly pages: number
}

/** A leased host, and the ids of its URLs in the shared queue. */
export class HostLease {
  readonly host: string
  readonly partition: number
  /** Id of the lease. */
  readonly epoch: string
  /** Ids of URLs that were handed out to this process and are not finished. */
  readonly #unfinished = new Set<string>()
  /** URLs that are finished and not reported yet. */
  #finished = new Map<string, FinishedUrl>()
  #hasMore: boolean
  #until: number
  #pages: number
  #isLeaving = false

  constructor({ host, partition, epoch, hasMore, until, pages }: NewLease) {
    this.host = host
    this.partition = partition
    this.epoch = epoch
    this.#hasMore = hasMore
    this.#until = until
    this.#pages = pages
  }

  /** True if the shared queue has more URLs of the host, as far as is known. */
  get hasMore(): boolean {
    return this.#hasMore
  }

  /** End of the lease, in milliseconds of the lease clock. */
  get until(): number {
    return this.#until
  }

  /** True if the host is given back as soon as none of its requests is in flight. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Number of unfinished URLs that this process has. */
  get unfinished(): number {
    return this.#unfinished.size
  }

  /**
   * Number of the host's pages that are finished, for `--max-per-host`. If this process dies, the next one requests and
   * counts all others again.
   */
  get pages(): number {
    return this.#pages
  }

  get hasFinished(): boolean {
    return this.#finished.size > 0
  }

  renew(until: number, hasMore: boolean): void {
    this.#until = until
    this.#hasMore = hasMore
  }

  /** Marks the host to be given back. */
  leave(): void {
    this.#isLeaving = true
  }

  has(id: string): boolean {
    return this.#unfinished.has(id) || this.#finished.has(id)
  }

  add(id: string): void {
    this.#unfinished.add(id)
  }

  /** @param bytes of the body, if the URL has a record */
  finish(id: string, bytes?: number): void {
    this.#unfinished.delete(id)
    if (bytes !== undefined) this.#pages++
    this.#finished.set(id, bytes === undefined ? [id] : [id, bytes])
  }

  /** Returns the URLs that were finished since the last call. */
  takeFinished(): FinishedUrl[] {
    const finished = [...this.#finished.values()]
    this.#finished = new Map()
    return finished
  }
}
