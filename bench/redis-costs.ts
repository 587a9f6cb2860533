/**
 * Measures the cost of a URL and of a page for the Redis of a job: bytes in and out, time in scripts, and memory. It
 * uses the real job queue. One agent works as in a polite crawl of many hosts: each exchange reports `--step` pages of
 * each of its hosts.
 *
 *   node bench/redis-costs.ts [--hosts 2000] [--urls 50] [--step 1] [--known 0.5]
 */
import { encodeSharedUrl } from '../src/cluster/agent/shared-url.ts'
import type { JobQueue, LeasedHostUrls, LeaseReport, PushedUrl } from '../src/cluster/job-queue.ts'
import { openRedisJobStore } from '../src/cluster/redis/redis-job-store.ts'
import { silentLogger } from '../src/logger.ts'
import { RedisServer } from '../test/support/redis-server.ts'
import { parseFlags } from './measure/flags.ts'

const { hosts, urls, step, known } = parseFlags({ hosts: 2_000, urls: 50, step: 1, known: 0.5 })
/** Number of URLs that an agent takes of a host at first, and of hosts that it leases in one partition. */
const [BATCH, HOSTS_AT_ONCE] = [64, 16]
/** Bytes of the body of each page. */
const BODY_BYTES = 20_000
/** Number of URLs in one call, as many as a few pages of one partition discover. */
const PUSHED_AT_ONCE = 20
/** The data on a host in each report of an agent, with the same length as that of `handoverOf`. */
const PAST = JSON.stringify({ pause: 1000, pages: 12, errors: 0, silentSince: null, latency: 152 })

interface Totals {
  readonly in: number
  readonly out: number
  /** Microseconds of CPU time in scripts, and of the whole server. */
  readonly scripts: number
  readonly cpu: number
  readonly calls: number
  readonly memory: number
}

const redis = await RedisServer.start('--appendonly', 'yes')
const store = await openRedisJobStore([redis.url], silentLogger())
const options = { expectedUrls: hosts * urls, falsePositiveRate: 0.001, forgetAfter: 1 }
const queue = await store.join('costs', {}, { name: 'redis-bloom', ...options })

async function totals(): Promise<Totals> {
  const info = await redis.ask('INFO', 'everything')
  const of = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1])
  const scripts = /^cmdstat_evalsha:calls=(\d+),usec=(\d+)/m.exec(info)
  const seconds = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1])
  return {
    in: of('total_net_input_bytes'),
    out: of('total_net_output_bytes'),
    scripts: Number(scripts?.[2] ?? 0),
    cpu: (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6,
    calls: Number(scripts?.[1] ?? 0),
    memory: of('used_memory'),
  }
}

/** Runs some work, and prints its cost per unit. @param work resolves with its number of units */
async function measure(name: string, work: () => Promise<number>): Promise<void> {
  const before = await totals()
  const count = await work()
  const after = await totals()
  const each = (key: keyof Totals) => ((after[key] - before[key]) / count).toFixed(2)
  const bytes = `${each('in')} bytes in, ${each('out')} out, ${each('memory')} bytes of memory`
  const times = `${each('scripts')} µs in scripts, ${each('cpu')} µs of the server in all`
  console.log(`${name}: ${count} times ${bytes}, ${times}, ${each('calls')} calls`)
}

const urlOf = (host: number, page: number) =>
  `https://www.host-${host}.example/articles/2026/${page}/index.html`

function pushedUrl(host: number, page: number): PushedUrl {
  const url = urlOf(host, page)
  const place = { sameDepthHops: 0, redirects: 0, hop: 'link', isSeed: false } as const
  const text = encodeSharedUrl({ url, ...place, via: urlOf(host, page >> 1) })
  return { url, host: `www.host-${host}.example`, depth: 1, text }
}

/** Pushes URLs of all hosts, a few per call. Returns their number. */
async function push(from: number, to: number): Promise<number> {
  const byPartition = Map.groupBy(
    Array.from({ length: hosts }, (_, host) => host),
    (host) => queue.partitionOf(`www.host-${host}.example`),
  )
  let count = 0
  for (const [partition, some] of byPartition) {
    const all = some.flatMap((host) => {
      return Array.from({ length: to - from }, (_, page) => pushedUrl(host, from + page))
    })
    for (let start = 0; start < all.length; start += PUSHED_AT_ONCE) {
      await queue.push(partition, all.slice(start, start + PUSHED_AT_ONCE))
    }
    count += all.length
  }
  return count
}

/** Leases all hosts of a partition, and finishes their URLs step by step. Returns their number. */
async function crawl(from: JobQueue, partition: number): Promise<number> {
  const leases = new Map<string, { share: LeasedHostUrls; waiting: string[]; hasMore: boolean }>()
  let finished = 0
  for (let isFirst = true; isFirst || leases.size > 0; isFirst = false) {
    const held = [...leases].map(([host, lease]): LeaseReport => {
      const done = lease.waiting.splice(0, step).map((id) => [id, BODY_BYTES] as const)
      finished += done.length
      const release = lease.waiting.length === 0 && !lease.hasMore
      if (release) leases.delete(host)
      const want = lease.waiting.length < BATCH / 2 && lease.hasMore ? BATCH : 0
      const report = {
        host,
        epoch: lease.share.epoch,
        unfinished: lease.waiting.length,
        want,
        done,
      }
      return { ...report, wait: 1_000, past: PAST, ...(release && { release }) }
    })
    const reply = await from.exchange(partition, {
      ...{ agent: 'agent-1', ttl: 600_000, longestPause: 60_000, maxDepth: 1, batch: BATCH, held },
      hosts: HOSTS_AT_ONCE - leases.size,
    })
    for (const share of reply.hosts) {
      const before = leases.get(share.host)?.waiting ?? []
      const waiting = [...before, ...share.urls.map(({ id }) => id)]
      leases.set(share.host, { share, waiting, hasMore: share.hasMore })
    }
  }
  return finished
}

async function crawlAll(): Promise<number> {
  let pages = 0
  for (let partition = 0; partition < queue.partitionCount; partition++) {
    pages += await crawl(queue, partition)
  }
  return pages
}

try {
  await measure('a URL that waits', () => push(0, urls))
  await measure('a page, from its lease to its end', crawlAll)
  const again = Math.round(urls * known)
  await push(0, again)
  await measure('a known URL, dropped at its turn', async () => again * hosts + (await crawlAll()))
} finally {
  store.close()
  await redis.close()
}
