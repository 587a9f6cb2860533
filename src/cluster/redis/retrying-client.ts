import { setTimeout as sleep } from 'node:timers/promises'
import { CrawlerError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { redisAddress } from '../../url/redis-url.ts'
import { openClient, type RedisClient } from './client.ts'
import { OutageLog } from './outage-log.ts'
import type { Script } from './scripts.ts'
import { describeServerError, type ServerError } from './server-errors.ts'

/** Milliseconds between two attempts. */
const PAUSE_MS = 200
/** Milliseconds between two reconnections while the address leads to a replica. */
const RECONNECT_MS = 1_000
/** Milliseconds without a reply after which the wait is logged. */
const SILENCE_MS = 5_000
const SILENT: ServerError = {
  text: `doesn't answer (${SILENCE_MS / 1_000} s without a reply)`,
  missing: 'answers',
}

/**
 * A connection that retries calls while its server is unavailable. A call may run twice, since its reply can be lost.
 * All scripts allow for that.
 */
export class RetryingClient {
  readonly label: string
  readonly #client: RedisClient
  readonly #outage: OutageLog
  readonly #patience: number
  readonly #closing = new AbortController()
  #failures = 0
  #reconnectAt = 0

  private constructor(label: string, client: RedisClient, logger: Logger, patience: number) {
    this.label = label
    this.#client = client
    this.#outage = new OutageLog(label, logger)
    this.#patience = patience
  }

  /**
   * @param patience milliseconds after which a call is no longer retried
   * @throws CrawlerError('redis') when the server can't be reached within a few seconds
   */
  static async open(url: string, logger: Logger, patience: number): Promise<RetryingClient> {
    return new RetryingClient(redisAddress(url), await openClient(url), logger, patience)
  }

  /** True for a Redis Cluster, where all keys of a call must be in one slot. */
  get isCluster(): boolean {
    return this.#client.isCluster
  }

  /**
   * Counter that increases whenever another server may have taken the place of this one. That server may lack the last
   * few seconds.
   */
  get outageCount(): number {
    return this.#client.lostConnections + this.#failures
  }

  /**
   * Runs a script.
   * @throws CrawlerError('redis') if the server refuses it, or this connection was closed
   */
  evaluate(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.#retry(() => this.#client.evaluate(script, keys, args))
  }

  /** Runs a command, like `evaluate`. */
  command(key: string, ...words: string[]): Promise<unknown> {
    return this.#retry(() => this.#client.command(key, ...words))
  }

  /** Yields the names of all keys that match a pattern. After an outage, yields those before it again. */
  async *keys(pattern: string): AsyncGenerator<string[]> {
    let pages = this.#client.keys(pattern)
    const next = () =>
      pages.next().catch((error: unknown) => {
        pages = this.#client.keys(pattern)
        throw error
      })
    for (;;) {
      const page = await this.#retry(next)
      if (page.done === true) return
      yield page.value
    }
  }

  /** Returns the reply to INFO of each master behind the address. */
  info(): Promise<string[]> {
    return this.#retry(() => this.#client.info())
  }

  /** Closes the connection. Waiting calls are rejected. */
  close(): void {
    this.#closing.abort()
    this.#client.close()
  }

  async #retry<T>(call: () => Promise<T>): Promise<T> {
    const since = performance.now()
    let isWaiting = false
    let isAnswered = false
    const wait = (error: ServerError) => {
      if (!isWaiting) this.#outage.callWaits(since)
      isWaiting = true
      this.#outage.logReason(error)
    }
    const { signal } = this.#closing
    try {
      for (;;) {
        const stopWatching = watchSilence(() => wait(SILENT))
        try {
          const answer = await call()
          isAnswered = true
          return answer
        } catch (error) {
          wait(this.#judge(error, since))
        } finally {
          stopWatching()
        }
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
      }
    } finally {
      if (isWaiting) this.#outage.callEnds(isAnswered)
    }
  }

  /**
   * Returns the reason to wait for the server.
   * @param since start of the call, in milliseconds of the monotonic clock
   * @throws CrawlerError if waiting doesn't help, or took too long
   */
  #judge(error: unknown, since: number): ServerError {
    const { missing } = describeServerError(error)
    const reason = describeServerError(isOffline(error) ? this.#client.lastError : error)
    const isOver = performance.now() - since > this.#patience
    if (this.#closing.signal.aborted || missing === undefined || isOver) {
      const message = `Redis at ${this.label} ${reason.text}`
      throw new CrawlerError('redis', message, { cause: error })
    }
    if (missing === 'a master') this.#reconnect()
    if (missing === 'a master' || missing === 'answers') this.#failures++
    return reason
  }

  #reconnect(): void {
    if (performance.now() < this.#reconnectAt) return
    this.#reconnectAt = performance.now() + RECONNECT_MS
    this.#client.reconnect()
  }
}

/** Returns true for an error that reports a missing connection, but not the reason. */
function isOffline(error: unknown): boolean {
  return error instanceof Error && error.message === 'The client is offline'
}

/**
 * Calls `onSilence` if a call has no reply after a while.
 * @returns a function to call when the call has ended
 */
function watchSilence(onSilence: () => void): () => void {
  let reading: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    // This process may have been stopped. Then it first reads the replies that have arrived meanwhile.
    reading = setImmediate(onSilence)
  }, SILENCE_MS)
  return () => {
    clearTimeout(timer)
    clearImmediate(reading)
  }
}
