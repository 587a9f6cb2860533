import { setTimeout as sleep } from 'node:timers/promises'
import { CrawlerError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { labelOf } from '../../url/redis-url.ts'
import { openClient, type RedisClient } from './client.ts'
import { OutageLog } from './outage-log.ts'
import type { Script } from './scripts.ts'
import { describeServerError, type ServerError } from './server-errors.ts'

/** Milliseconds between two attempts. */
const PAUSE_MS = 200
/** The same of connecting anew, while the address leads to a replica. */
const RECONNECT_MS = 1_000
/** Milliseconds without an answer after which that is said. */
const SILENCE_MS = 5_000
const SILENT: ServerError = {
  text: `gives no answer for ${SILENCE_MS / 1_000} s`,
  missing: 'answers',
}

/**
 * A server that is waited for when it is away. What is asked of it may be said twice, for an answer can be
 * lost: all scripts allow for that.
 */
export class Connection {
  readonly label: string
  readonly #client: RedisClient
  readonly #outage: OutageLog
  readonly #closing = new AbortController()
  #failures = 0
  #reconnectAt = 0

  private constructor(label: string, client: RedisClient, logger: Logger) {
    this.label = label
    this.#client = client
    this.#outage = new OutageLog(label, logger)
  }

  /** @throws CrawlerError('redis') when the server can't be reached within a few seconds */
  static async open(url: string, logger: Logger): Promise<Connection> {
    return new Connection(labelOf(url), await openClient(url), logger)
  }

  /** Whether keys of one call have to be in one slot. */
  get isCluster(): boolean {
    return this.#client.isCluster
  }

  /** Grows whenever another server may have taken its place, which knows a little less. */
  get breaks(): number {
    return this.#client.breaks + this.#failures
  }

  /** @throws CrawlerError('redis') when it refuses, or this connection was closed */
  evaluate(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.#persist(() => this.#client.evaluate(script, keys, args))
  }

  /** As `evaluate`. */
  command(key: string, ...words: string[]): Promise<unknown> {
    return this.#persist(() => this.#client.command(key, ...words))
  }

  keys(pattern: string): AsyncGenerator<string[]> {
    return this.#client.keys(pattern)
  }

  /** What each master behind the address tells of itself. */
  info(): Promise<string[]> {
    return this.#persist(() => this.#client.info())
  }

  /** Whoever waits is told that it is closed. */
  close(): void {
    this.#closing.abort()
    this.#client.close()
  }

  async #persist<T>(ask: () => Promise<T>): Promise<T> {
    const since = performance.now()
    let isWaiting = false
    let isAnswered = false
    const wait = (complaint: ServerError) => {
      if (!isWaiting) this.#outage.enter(since)
      isWaiting = true
      this.#outage.because(complaint)
    }
    const { signal } = this.#closing
    try {
      for (;;) {
        const silence = setTimeout(wait, SILENCE_MS, SILENT)
        try {
          const answer = await ask()
          isAnswered = true
          return answer
        } catch (error) {
          wait(this.#judge(error))
        } finally {
          clearTimeout(silence)
        }
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
      }
    } finally {
      if (isWaiting) this.#outage.leave(isAnswered)
    }
  }

  /** @throws CrawlerError when it is not worth waiting */
  #judge(error: unknown): ServerError {
    const complaint = describeServerError(error)
    if (this.#closing.signal.aborted || complaint.missing === undefined) {
      const message = `Redis at ${this.label} ${complaint.text}`
      throw new CrawlerError('redis', message, { cause: error })
    }
    if (complaint.missing === 'a master') this.#reconnect()
    if (complaint.missing === 'a master' || complaint.missing === 'answers') this.#failures++
    return isOffline(error) ? describeServerError(this.#client.lastError) : complaint
  }

  #reconnect(): void {
    if (performance.now() < this.#reconnectAt) return
    this.#reconnectAt = performance.now() + RECONNECT_MS
    this.#client.reconnect()
  }
}

/** Whether that says only that there is no connection now, and not why. */
function isOffline(error: unknown): boolean {
  return error instanceof Error && error.message === 'The client is offline'
}
