import { createHash, randomBytes } from 'node:crypto'
import type { Connection } from './connection.ts'
import {
  type LeaseReply,
  type LeaseRequest,
  type PartitionView,
  type PushedUrl,
  parseLeaseReply,
} from './exchange.ts'
import { partitionKey, readPartitionViews } from './partition-views.ts'
import { ReplayBuffer } from './replay-buffer.ts'
import { exchangeScript, pushScript, type Script } from './scripts.ts'
import type { RedisSeenOptions, SeenScheme } from './seen-scheme.ts'
import type { Servers } from './servers.ts'

/** URLs of one call at most: a script holds its server up. */
const MOST_URLS = 500
/** Enough that two calls have the same by chance only. */
const TOKEN_BYTES = 4

/** The queues of a job. All of a host is in one partition, and all of a partition in one slot of one server. */
export class Partitions {
  readonly count: number
  readonly #job: string
  readonly #servers: Servers
  readonly #scheme: SeenScheme
  readonly #exchange: Script
  readonly #push = pushScript()
  readonly #doubts: ReplayBuffer

  constructor(
    job: string,
    count: number,
    servers: Servers,
    { name }: Pick<RedisSeenOptions, 'name'>,
    scheme: SeenScheme,
  ) {
    this.#job = job
    this.count = count
    this.#servers = servers
    this.#scheme = scheme
    this.#exchange = exchangeScript(name)
    this.#doubts = new ReplayBuffer(servers.all)
  }

  of(host: string): number {
    return createHash('sha1').update(host).digest().readUInt32BE(0) % this.count
  }

  /** Enqueues URLs of a partition. */
  async push(partition: number, urls: readonly PushedUrl[]): Promise<void> {
    for (let start = 0; start < urls.length; start += MOST_URLS) {
      const some = urls.slice(start, start + MOST_URLS)
      const rows = some.flatMap(({ host, depth, text, url }) => {
        return [host, String(depth), this.#scheme.markOf(url), text]
      })
      await this.#run(this.#push, partition, rows)
      this.#doubts.add(this.#serverOf(partition), some)
    }
  }

  /** Whether a server was away: `look` may tell of less than there is, until what is in doubt is enqueued again. */
  get mayHaveLostUrls(): boolean {
    return this.#doubts.hasLosses
  }

  /** What was enqueued of late on servers that were away since, and that may have forgotten it. */
  takeLostUrls(): PushedUrl[] {
    return this.#doubts.takeLost()
  }

  async exchange(partition: number, request: LeaseRequest): Promise<LeaseReply> {
    const seen = this.#scheme.setup
    const token = randomBytes(TOKEN_BYTES).toString('hex')
    const text = JSON.stringify({ ...request, token, seen })
    const reply = await this.#run(this.#exchange, partition, [text])
    return parseLeaseReply(reply)
  }

  /**
   * How all partitions stand.
   * @param horizon greatest depth that may be handed out
   */
  look(horizon: number): Promise<PartitionView[]> {
    return readPartitionViews(this.#servers, this.#job, this.count, horizon)
  }

  #run(script: Script, partition: number, args: readonly string[]): Promise<unknown> {
    return this.#serverOf(partition).evaluate(script, [partitionKey(this.#job, partition)], args)
  }

  #serverOf(partition: number): Connection {
    return this.#servers.of(partitionKey(this.#job, partition))
  }
}
