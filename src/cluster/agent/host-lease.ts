import type { FinishedUrl } from '../job-queue.ts'

/** A leased host, and the ids of its URLs in the shared queue. */
export class HostLease {
  readonly host: string
  readonly partition: number
  /** Number of the lease. */
  readonly epoch: string
  /** URLs that are here and not finished. */
  readonly #unfinished = new Set<string>()
  /** URLs that are finished and not reported yet. */
  #finished = new Map<string, FinishedUrl>()
  #hasMore: boolean
  #until: number
  #isLeaving = false

  /**
   * @param hasMore true when the shared queue has more URLs of the host
   * @param until end of the lease, in milliseconds of the lease clock
   */
  constructor(host: string, partition: number, epoch: string, hasMore: boolean, until: number) {
    this.host = host
    this.partition = partition
    this.epoch = epoch
    this.#hasMore = hasMore
    this.#until = until
  }

  /** True when the shared queue has more URLs of the host, as far as is known. */
  get hasMore(): boolean {
    return this.#hasMore
  }

  /** End of the lease, in milliseconds of the lease clock. */
  get until(): number {
    return this.#until
  }

  /** True when the host goes back as soon as nothing of it is in flight. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Number of URLs that are not finished. */
  get unfinished(): number {
    return this.#unfinished.size
  }

  get hasFinished(): boolean {
    return this.#finished.size > 0
  }

  renew(until: number, hasMore: boolean): void {
    this.#until = until
    this.#hasMore = hasMore
  }

  /** The host is to go back. */
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
    this.#finished.set(id, bytes === undefined ? [id] : [id, bytes])
  }

  /** Returns the URLs that were finished since the last call. */
  takeFinished(): FinishedUrl[] {
    const finished = [...this.#finished.values()]
    this.#finished = new Map()
    return finished
  }
}
