import type { PermitQueue } from './permit-queue.ts'

/** Permits per second of a bandwidth: each is for the bytes of this part of a second. */
export const BYTE_PERMITS_PER_SECOND = 400

/** Bytes that a socket may read before its reading can be paused. */
const MAX_READ = 65_536
/** Share of the latest response in the expected size of the next one. */
const NEWEST = 1 / 8
/** Permits to wait for at a time. */
const MAX_PERMITS = 16

interface PayWaiter {
  readonly proceed: () => void
  readonly fail: (error: unknown) => void
}

/**
 * The bytes that one thread may receive. They are counted as they are read; while they are not paid for with permits,
 * nothing more is read and no request is sent.
 *
 * A small response arrives whole before its reading could be paused, so each request pays in advance for a response of
 * the usual size.
 */
export class ByteBudget {
  readonly #permits: PermitQueue
  /** Bytes of a permit. */
  readonly #quantum: number
  /** Bytes that are not paid for; negative for credit. */
  #debt = 0
  /** Bytes that were paid for and have not come yet. */
  #prepaid = 0
  /** Requests that wait for the rest of their response. */
  #active = 0
  /** Usual bytes of a response, and those received since the last one ended. */
  #usual = 0
  #sinceLast = 0
  readonly #waiters: PayWaiter[] = []
  #isPaying = false

  /** @param bytesPerSecond of all threads and processes together */
  constructor(permits: PermitQueue, bytesPerSecond: number) {
    this.#permits = permits
    this.#quantum = bytesPerSecond / BYTE_PERMITS_PER_SECOND
  }

  /** True while more has been read than paid for. */
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
   * Calls `proceed` when everything is paid for and it is the caller's turn, or `fail` with RequestNotSent when the
   * crawl is stopped before.
   */
  whenPaid(proceed: () => void, fail: (error: unknown) => void): void {
    this.#waiters.push({ proceed, fail })
    if (!this.#isPaying) void this.#pay()
  }

  /**
   * Resolves when a request may be sent; each is followed by `end`.
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

  /** Notes that a response has come, and takes back what it left. */
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
    // At once, whether or not anything waits: time that passes without it is lost.
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
