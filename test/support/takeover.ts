import { setTimeout as sleep } from 'node:timers/promises'
import { partitionKey } from '../../src/cluster/redis/keys.ts'
import { hostKey } from '../../src/url/host-key.ts'
import { type JobProcess, startJobProcess } from './job-run.ts'
import { connect, type RedisServer } from './redis-server.ts'
import { type SiteServer, startServer } from './site-server.ts'
import { until } from './until.ts'

const PARTITIONS = 32

export interface TakeoverPlan {
  readonly redis: RedisServer
  /** A directory for the outputs. */
  readonly folder: string
  readonly job: string
  readonly hosts: number
  /** Number of pages of each host, more than are fetched. */
  readonly pages: number
  /** Number of processes that are left after one is killed. */
  readonly survivors: number
  /** Milliseconds of `--lease`, of the delay between two requests to a host, and of a response. */
  readonly lease: number
  readonly delay: number
  readonly latency: number
  /** Requests in flight per process. */
  readonly concurrency: number
}

export interface Takeover {
  /** Number of hosts that the process leased when it was killed. */
  readonly hosts: number
  /** Milliseconds from the kill to the first request to each of them, in ascending order. */
  readonly waits: readonly number[]
  /** Number of hosts that others requested while the process was stopped for half of a lease. */
  readonly takenFromSlow: number
  /** Number of requests while another process had one in flight at the host. */
  readonly overlappingRequests: number
}

/**
 * Stops one process of a job for half of a lease, kills it later, and waits until others have requested all hosts that
 * it leased. All pages but the first of each host have the same depth, so no host waits for another.
 */
export async function measureTakeover(plan: TakeoverPlan): Promise<Takeover> {
  const { redis, folder, job, lease, delay, survivors, concurrency } = plan
  const sites = await Promise.all(Array.from({ length: plan.hosts }, (_, n) => startSite(n, plan)))
  const seeds = sites.map(({ url }) => `${url}/`)
  const args = [
    ...[...seeds, '--scope', 'any', '--allow-private', '--ignore-robots', '--depth', '1', '-q'],
    ...['--workers', '1', '--concurrency', `${concurrency}`, '--per-host', '1'],
    ...['--delay', `${delay}ms`, '--lease', `${lease}ms`],
  ]
  const processes = Array.from({ length: survivors + 1 }, (_, n) => {
    const name = nameOf(n)
    const own = [...args, '--user-agent', name]
    return startJobProcess({ folder, name, redis: [redis.url], job, args: own })
  })
  try {
    return await observe(plan, sites, processes)
  } finally {
    for (const { child } of processes) child.kill('SIGKILL')
    await Promise.all(processes.map(({ ended }) => ended))
    await Promise.all(sites.map((site) => site.close()))
  }
}

const nameOf = (process: number) => `p${process}`
const pagesOf = ({ requests }: SiteServer) => requests.filter(({ url }) => url !== '/')

function startSite(number: number, { latency, pages }: TakeoverPlan): Promise<SiteServer> {
  const links = Array.from({ length: pages }, (_, page) => `<a href="/${page}">`).join('')
  const host = `127.0.${20 + (number >> 7)}.${1 + (number & 127)}`
  return startServer(
    async (request, response) => {
      await sleep(latency)
      response.setHeader('content-type', 'text/html').end(request.url === '/' ? links : 'page')
    },
    { host },
  )
}

async function observe(
  { redis, job, lease }: TakeoverPlan,
  sites: readonly SiteServer[],
  processes: readonly JobProcess[],
): Promise<Takeover> {
  const [victim] = processes
  const pid = victim?.child.pid
  if (victim === undefined || pid === undefined) throw new Error('no process')
  const byAgent = (name: string) =>
    sites.flatMap(pagesOf).filter(({ headers }) => headers['user-agent'] === name).length
  await until(() =>
    processes.every((_, n) => byAgent(nameOf(n)) > (2 * sites.length) / processes.length),
  )
  victim.child.kill('SIGSTOP')
  const stoppedAt = performance.now()
  // Before that, it may have released hosts. The answer may take long, and the process must not be stopped for longer.
  const asked = leasedBy(redis.url, job, pid)
  await sleep(lease / 2)
  // Afterwards it may release hosts, if it has more than its share.
  const continuedAt = performance.now()
  victim.child.kill('SIGCONT')
  const stalled = await asked
  await sleep(lease / 2)
  const kept = new Set(await leasedBy(redis.url, job, pid))
  const isVictims = (site: SiteServer) => stalled.includes(hostKey(`${site.url}/`))
  const takenFromSlow = sites.filter(isVictims).filter(({ requests }) =>
    requests.some(({ startedAt, headers }) => {
      const isOther = headers['user-agent'] !== nameOf(0)
      return isOther && startedAt > stoppedAt && startedAt < continuedAt
    }),
  ).length
  victim.child.kill('SIGKILL')
  const killedAt = performance.now()
  const hosts = await leasedBy(redis.url, job, pid)
  if (hosts.length === 0 || kept.size === 0) throw new Error('the process leased no host')
  const orphans = sites.filter(({ url }) => hosts.includes(hostKey(`${url}/`)))
  const takenAt = ({ requests }: SiteServer) =>
    requests.find(({ startedAt, headers }) => {
      return startedAt > killedAt && headers['user-agent'] !== nameOf(0)
    })?.startedAt
  const patience = killedAt + 6 * lease
  await until(() => {
    return performance.now() > patience || orphans.every((site) => takenAt(site) !== undefined)
  })
  const waits = orphans.map((site) => (takenAt(site) ?? Number.POSITIVE_INFINITY) - killedAt)
  return {
    ...{ hosts: hosts.length, waits: waits.toSorted((a, b) => a - b), takenFromSlow },
    overlappingRequests: sites.reduce((sum, site) => sum + overlapsOf(site), 0),
  }
}

/** Returns the hosts that a process leases, according to Redis. */
async function leasedBy(url: string, job: string, pid: number): Promise<string[]> {
  const servers = await connect(url)
  const ask = (key: string, name: string, ...words: string[]) =>
    servers.of(key).command(key, name, key, ...words)
  const all = await Promise.all(
    Array.from({ length: PARTITIONS }, async (_, partition) => {
      const key = partitionKey(job, partition)
      const hosts = await ask(`${key}:leases`, 'ZRANGE', '0', '-1')
      const names = Array.isArray(hosts) ? hosts.map(String) : []
      const agents = await Promise.all(
        names.map((host) => ask(`${key}:host:${host}`, 'HGET', 'agent')),
      )
      return names.filter((_, place) => String(agents[place]).includes(`-${pid}-`))
    }),
  )
  servers.close()
  return all.flat()
}

function overlapsOf({ requests }: SiteServer): number {
  return requests.filter(({ startedAt, headers }, index) => {
    const before = requests[index - 1]
    const end = before?.answeredAt ?? before?.endedAt ?? Number.POSITIVE_INFINITY
    return (
      before !== undefined &&
      before.headers['user-agent'] !== headers['user-agent'] &&
      end > startedAt
    )
  }).length
}
