import type { PermitQueue } from './permit-queue.ts'

/** Permits per second for `--bandwidth`. Each permits the bytes of this fraction of a second. */
export const BYTE_PERMITS_PER_SECOND = 400

/** Maximum bytes that a socket may read before its reading can be paused. */
const MAX_READ = 65_536
/** Weight of the latest response in the expected size of the next one (exponential moving average). */
const NEWEST = 1 / 8
/** Maximum number of permits to wait for at a time. */
const MAX_PERMITS = 16

interface PayWaiter {
  readonly proceed: () => void
  readonly fail: (error: unknown) => void
}

/**
 * The bytes that one thread may receive. Bytes are counted when they are read, and paid for with permits afterwards.
 * While there is a debt, nothing more is read and no request is sent.
 *
 * A small response arrives completely before its reading could be paused, so each request pays in advance for a
 * response of the usual size.
 */
export class ByteBudget {
  readonly #permits: PermitQueue
  /** Bytes per permit. */
  readonly #quantum: number
  /** Number of bytes that are not paid for yet; negative for a credit. */
  #debt = 0
  /** Number of bytes that were paid for in advance and not received yet. */
  #prepaid = 0
  /** Number of requests between `begin` and `end`. */
  #active = 0
  /** Average bytes of a response, and the bytes received since the last response ended. */
  #usual = 0
  #sinceLast = 0
  readonly #waiters: PayWaiter[] = []
  #isPaying = false

  /** @param bytesPerSecond the bandwidth of all threads and processes together */
  constructor(permits: PermitQueue, bytesPerSecond: number) {
    this.#permits = permits
    this.#quantum = bytesPerSecond / BYTE_PERMITS_PER_SECOND
  }

  /** True while more bytes were read than paid for. */
  get isOverdrawn(): boolean {
    return this.#debt > 0
  }

  /** Counts bytes that were read. */
  spend(bytes: number): void {
    const paid = Math.min(bytes, this.#prepaid)
    this.#prepaid -= paid
    this.#sinceLast += bytes
    this.#owe(bytes - paid)
  }

  /**
   * Calls `proceed` when all bytes are paid for and it is the caller's turn, or `fail` with RequestNotSent if the crawl
   * is stopped before.
   */
  whenPaid(proceed: () => void, fail: (error: unknown) => void): void {
    this.#waiters.push({ proceed, fail })
    if (!this.#isPaying) void this.#pay()
  }

  /**
   * Resolves when a request may be sent. The caller must call `end` after the response.
   * @throws RequestNotSent once the crawl is stopped
   */
  async begin(): Promise<void> {
    const begin = () => {
      this.#active++
      this.#prepay(this.#expected)
    }
    if (!this.isOverdrawn && this.#waiters.length === 0) begin()
    else {
      await new Promise<void>((resolve, reject) => {
        const proceed = () => {
          begin()
          resolve()
        }
        this.whenPaid(proceed, reject)
      })
    }
  }

  /** Notes the end of a response, and takes back the bytes that were paid in advance but not received. */
  end(): void {
    this.#active--
    this.#usual += (this.#sinceLast - this.#usual) * NEWEST
    this.#sinceLast = 0
    const surplus = this.#prepaid - this.#active * this.#expected
    if (surplus > 0) this.#prepay(-surplus)
  }

  get #expected(): number {
    return Math.min(this.#usual, MAX_READ)
  }

  #prepay(bytes: number): void {
    this.#prepaid += bytes
    this.#owe(bytes)
  }

  #owe(bytes: number): void {
    this.#debt += bytes
    // Pays at once, even if no caller waits: permits that are not taken in time are lost.
    if (this.isOverdrawn && !this.#isPaying) void this.#pay()
  }

  async #pay(): Promise<void> {
    this.#isPaying = true
    while (this.isOverdrawn || this.#waiters.length > 0) {
      if (!this.isOverdrawn) this.#waiters.shift()?.proceed()
      else if (!(await this.#buy())) break
    }
    this.#isPaying = false
  }

  /** Pays for a part of the debt. Returns false once the crawl is stopped. */
  async #buy(): Promise<boolean> {
    const count = Math.min(MAX_PERMITS, Math.ceil(this.#debt / this.#quantum))
    try {
      await Promise.all(Array.from({ length: count }, () => this.#permits.take()))
    } catch (error) {
      for (const { fail } of this.#waiters.splice(0)) fail(error)
      return false
    }
    this.#debt -= count * this.#quantum
    return true
  }
}
