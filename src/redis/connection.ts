import { setTimeout as sleep } from 'node:timers/promises'
import { CrawlerError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { labelOf } from '../url/redis-url.ts'
import { openClient, type RedisClient } from './client.ts'
import type { Script } from './scripts.ts'

/** Replies of a server that will be able to answer later: it starts, fails over, or is out of memory. */
const PASSING =
  /^(?:LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY|OOM|MISCONF|BUSY|NOREPLICAS|MOVED|ASK)\b/
/** Any other reply that is an error, by its first word in capitals. */
const REPLY = /^[A-Z]+ /

/** Milliseconds between two attempts. */
const PAUSE_MS = 200

/**
 * A server that is waited for when it is away. What is asked of it may be said twice, for an answer can be
 * lost: all scripts allow for that.
 */
export class Connection {
  readonly label: string
  readonly #client: RedisClient
  readonly #logger: Logger
  readonly #closing = new AbortController()
  /** When it was away first; undefined while it answers. */
  #awaySince: number | undefined

  private constructor(label: string, client: RedisClient, logger: Logger) {
    this.label = label
    this.#client = client
    this.#logger = logger
  }

  /** @throws CrawlerError('redis') when the server can't be reached within a few seconds */
  static async open(url: string, logger: Logger): Promise<Connection> {
    return new Connection(labelOf(url), await openClient(url), logger)
  }

  /** Whether keys of one call have to be in one slot. */
  get isCluster(): boolean {
    return this.#client.isCluster
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

  /** Whoever waits is told that it is closed. */
  close(): void {
    this.#closing.abort()
    this.#client.close()
  }

  async #persist<T>(ask: () => Promise<T>): Promise<T> {
    const { signal } = this.#closing
    for (;;) {
      try {
        const answer = await ask()
        this.#isBack()
        return answer
      } catch (error) {
        const reason = error instanceof Error ? error.message || error.name : String(error)
        const isFinal = REPLY.test(reason) && !PASSING.test(reason)
        if (signal.aborted || isFinal) {
          throw new CrawlerError('redis', `${this.label}: ${reason}`, { cause: error })
        }
        this.#isAway(reason)
      }
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }

  #isAway(reason: string): void {
    if (this.#awaySince !== undefined) return
    this.#awaySince = performance.now()
    this.#logger.warn({ redis: this.label }, `Waiting for Redis at ${this.label}: ${reason}`)
  }

  #isBack(): void {
    if (this.#awaySince === undefined) return
    const ms = Math.round(performance.now() - this.#awaySince)
    this.#awaySince = undefined
    this.#logger.info(
      { redis: this.label, ms },
      `Redis at ${this.label} answers again, after ${ms} ms`,
    )
  }
}
