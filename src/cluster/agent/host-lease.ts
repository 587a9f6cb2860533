/** A host that is leased, and its URLs that are here. */
export class HostLease {
  readonly host: string
  readonly partition: number
  /** Which lease it is. */
  readonly epoch: string
  /** Ids here by ids in the shared queue, of URLs that are not finished. */
  readonly urls = new Map<string, number>()
  /** Ids in the shared queue of URLs that are finished, and not told to be. */
  done: string[] = []
  /** Whether the shared queue has more, as far as is known. */
  hasMore: boolean
  /** It is given back as soon as nothing of it is in flight. */
  isLeaving = false
  /** The lease is sure to hold until then, in milliseconds of the clock for leases. */
  until: number

  constructor(host: string, partition: number, epoch: string, hasMore: boolean, until: number) {
    this.host = host
    this.partition = partition
    this.epoch = epoch
    this.hasMore = hasMore
    this.until = until
  }
}

/** A URL that was taken out of the shared queue. */
export interface LeasedUrl {
  readonly lease: HostLease
  /** Its id in the shared queue. */
  readonly id: string
  readonly url: string
  readonly via: string | undefined
}
