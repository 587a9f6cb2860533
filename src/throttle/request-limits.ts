import { BYTE_PERMITS_PER_SECOND, ByteBudget } from './byte-budget.ts'
import { PermitQueue } from './permit-queue.ts'
import { type RateMemory, SharedRate } from './shared-rate.ts'

/** Shared memory of the limits of a crawl. The rates are undefined without `--rate` or `--bandwidth`. */
export interface LimitMemory {
  readonly requestRate?: RateMemory | undefined
  /** Permits for received bytes; see `ByteBudget`. */
  readonly byteRate?: RateMemory | undefined
}

/** The settings that limit a crawl: requests per second, and bytes per second. */
interface LimitSettings {
  readonly rate?: number | undefined
  readonly bandwidth?: number | undefined
}

/** Limits the requests of one thread to `--rate` and `--bandwidth`. */
export class RequestLimits {
  readonly #requests: PermitQueue | undefined
  /** The bytes that may be received; undefined without `--bandwidth`. */
  readonly bytes: ByteBudget | undefined
  readonly #queues: readonly PermitQueue[]

  private constructor({ requestRate, byteRate }: LimitMemory, bandwidth: number, owner: number) {
    const open = (memory: RateMemory) => new PermitQueue(new SharedRate(memory, owner))
    this.#requests = requestRate && open(requestRate)
    const forBytes = byteRate && open(byteRate)
    this.bytes = forBytes && new ByteBudget(forBytes, bandwidth)
    this.#queues = [this.#requests, forBytes].filter((queue) => queue !== undefined)
  }

  /** @param isShared true if other processes share the limits */
  static allocate(
    { rate, bandwidth }: LimitSettings,
    workers: number,
    isShared: boolean,
  ): LimitMemory {
    const allocate = (perSecond: number) => SharedRate.allocate(perSecond, workers, isShared)
    return {
      requestRate: rate === undefined ? undefined : allocate(rate),
      byteRate: bandwidth === undefined ? undefined : allocate(BYTE_PERMITS_PER_SECOND),
    }
  }

  /**
   * Opens the limits for a thread. Returns undefined if there are none.
   * @param owner number of the thread
   */
  static open(
    memory: LimitMemory,
    { bandwidth = 0 }: LimitSettings,
    owner: number,
  ): RequestLimits | undefined {
    const isLimited = memory.requestRate !== undefined || memory.byteRate !== undefined
    return isLimited ? new RequestLimits(memory, bandwidth, owner) : undefined
  }

  /**
   * Sends a request as soon as the limits allow it.
   * @throws RequestNotSent once the crawl is stopped
   */
  async send<T>(request: () => Promise<T>): Promise<T> {
    await this.bytes?.begin()
    try {
      await this.#requests?.take()
      return await request()
    } finally {
      this.bytes?.end()
    }
  }

  /** Resolves when a request may be sent again, on another connection. */
  async resend(): Promise<void> {
    await this.#requests?.take()
  }

  /** Prevents further requests: those that wait, and later ones, fail with RequestNotSent. */
  close(): void {
    for (const queue of this.#queues) queue.close()
  }
}
