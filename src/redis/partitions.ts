import { createHash } from 'node:crypto'
import {
  type Exchange,
  type ExchangeReply,
  listOf,
  type PartitionView,
  type PushedUrl,
  parseReply,
} from './exchange.ts'
import { exchangeScript, lookScript, pushScript, type Script } from './scripts.ts'
import type { RedisSeenOptions, SeenScheme } from './seen-scheme.ts'
import type { Servers } from './servers.ts'

/** URLs of one call at most: a script holds its server up. */
const MOST_URLS = 500

/** The queues of a job. All of a host is in one partition, and all of a partition in one slot of one server. */
export class Partitions {
  readonly count: number
  readonly #job: string
  readonly #servers: Servers
  readonly #scheme: SeenScheme
  readonly #exchange: Script
  readonly #push = pushScript()
  readonly #look = lookScript()

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
  }

  of(host: string): number {
    return createHash('sha1').update(host).digest().readUInt32BE(0) % this.count
  }

  /** Enqueues URLs of a partition. */
  async push(partition: number, urls: readonly PushedUrl[]): Promise<void> {
    for (let start = 0; start < urls.length; start += MOST_URLS) {
      const rows = urls.slice(start, start + MOST_URLS).flatMap(({ host, depth, text, url }) => {
        return [host, String(depth), this.#scheme.markOf(url), text]
      })
      await this.#run(this.#push, partition, rows)
    }
  }

  async exchange(partition: number, request: Exchange): Promise<ExchangeReply> {
    const seen = this.#scheme.setup
    const reply = await this.#run(this.#exchange, partition, [JSON.stringify({ ...request, seen })])
    return parseReply(String(reply))
  }

  /**
   * How all partitions stand, in one round trip to each server.
   * @param horizon greatest depth that may be handed out
   */
  async look(horizon: number): Promise<PartitionView[]> {
    const all = Array.from({ length: this.count }, (_, index) => partitionKey(this.#job, index))
    const views = new Map<string, PartitionView>()
    const groups = [...Map.groupBy(all, (key) => this.#servers.of(key))].flatMap(
      ([server, keys]) =>
        server.isCluster ? keys.map((key) => ({ server, keys: [key] })) : [{ server, keys }],
    )
    await Promise.all(
      groups.map(async ({ server, keys }) => {
        const reply: PartitionView[] = JSON.parse(
          String(await server.evaluate(this.#look, keys, [String(horizon)])),
        )
        for (const [place, view] of reply.entries()) {
          views.set(keys[place] ?? '', { ...view, open: listOf(view.open) })
        }
      }),
    )
    return all.flatMap((key) => views.get(key) ?? [])
  }

  #run(script: Script, partition: number, args: readonly string[]): Promise<unknown> {
    const name = partitionKey(this.#job, partition)
    return this.#servers.of(name).evaluate(script, [name], args)
  }
}

/** What the keys of a partition begin with. */
export function partitionKey(job: string, partition: number): string {
  return `ow:{${job}:${partition}}`
}
