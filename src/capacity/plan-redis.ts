import { planBlooms } from '../cluster/redis/bloom-plan.ts'
import { PARTITIONS } from '../cluster/redis/redis-job-queue.ts'
import { MEASURED_COSTS } from './measured-costs.ts'

/** The properties of a crawl that determine the load on its Redis servers. */
interface RedisLoad {
  readonly pages: number
  readonly hosts: number
  readonly urls: number
  readonly falsePositiveRate: number
  /** URLs that all processes together add to the queue, some of them several times. */
  readonly pushes: number
}

/** The needs of a job's Redis servers. */
export interface RedisPlan {
  readonly servers: number
  /** Bytes of all servers together. */
  readonly seenMemory: number
  readonly queueMemory: number
  /** Bytes of the append-only files of all servers. By default, Redis lets a file double before it rewrites it. */
  readonly disk: number
  /** Bits per second of all servers together. */
  readonly bitsIn: number
  readonly bitsOut: number
}

/** Planned share of its time that a server is busy: low enough for fast responses. */
const BUSY_SHARE = 0.5
const BLOCK_BYTES = 64
const MICROS = 1e6

/** Returns the pages per second of the largest usable number of servers: one per partition. */
export function redisPagesPerSecond(load: RedisLoad): number {
  return (PARTITIONS * BUSY_SHARE * MICROS) / serverMicros(load)
}

/** Plans the servers of a job for a number of pages per second. */
export function planRedis(load: RedisLoad & { readonly pagesPerSecond: number }): RedisPlan {
  const { pagesPerSecond, hosts, urls, pages, pushes } = load
  const { pushInBytes, pageInBytes, pageOutBytes, waitingBytes, hostBytes } = MEASURED_COSTS.redis
  const copies = pushes / urls
  const waiting = Math.max(0, urls - pages) * copies
  const queueMemory = waiting * waitingBytes + hosts * hostBytes
  const seenMemory = bloomBytes(load)
  return {
    servers: Math.ceil((PARTITIONS * pagesPerSecond) / redisPagesPerSecond(load)),
    seenMemory,
    queueMemory,
    disk: 2 * (seenMemory + queueMemory),
    bitsIn: 8 * pagesPerSecond * (pageInBytes + (pushes / pages) * pushInBytes),
    bitsOut: 8 * pagesPerSecond * pageOutBytes,
  }
}

/** Returns the microseconds of Redis' CPU for a page, including the URLs that are added for it. */
function serverMicros({ pages, hosts, pushes, urls }: RedisLoad): number {
  const { pageMicros, hostMicros, pushMicros, knownMicros } = MEASURED_COSTS.redis
  const leases = (hosts / pages) * hostMicros
  return pageMicros + leases + (pushes / pages) * pushMicros + (pushes / urls - 1) * knownMicros
}

/** Returns the bytes of the first Bloom filter of each partition. If `--expected-urls` is right, it is the only one. */
function bloomBytes({ urls, falsePositiveRate }: RedisLoad): number {
  const [first] = planBlooms(Math.ceil(urls / PARTITIONS), falsePositiveRate)
  return PARTITIONS * (first?.[2] ?? 0) * BLOCK_BYTES
}
