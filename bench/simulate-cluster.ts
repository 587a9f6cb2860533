/**
 * Simulates how the hosts of a crawl are divided among many processes. Agents, frontiers and Redis are real; fetches
 * are simulated. Some agents join late, some die without releasing their hosts. The sizes of hosts are skewed: that of
 * the n-th is proportional to n^-0.8.
 *
 *   node bench/simulate-cluster.ts [--agents 100] [--late 20] [--deaths 10] [--hosts 2000] [--largest 400]
 *     [--latency 100] [--lease 3000]
 */
import { Agent } from '../src/cluster/agent/agent.ts'
import { SharedFrontier } from '../src/cluster/agent/shared-frontier.ts'
import { encodeSharedUrl } from '../src/cluster/agent/shared-url.ts'
import type { JobQueue } from '../src/cluster/job-queue.ts'
import type { JobStore } from '../src/cluster/job-store.ts'
import { openRedisJobStore } from '../src/cluster/redis/redis-job-store.ts'
import { silentLogger } from '../src/logger.ts'
import { CommitBarrier } from '../src/state/commit-barrier.ts'
import { temporaryStorage } from '../src/state/crawl-storage.ts'
import { hostKey } from '../src/url/host-key.ts'
import { RedisServer } from '../test/support/redis-server.ts'
import { parseFlags } from './measure/flags.ts'
import { spreadOf } from './measure/statistics.ts'

const { agents, late, deaths, hosts, largest, latency, lease } = parseFlags({
  ...{ agents: 100, late: 20, deaths: 10, hosts: 2_000, largest: 400, latency: 100, lease: 3_000 },
})
/** Maximum requests in flight of an agent, and of a host. */
const CONCURRENCY = 16
const PER_HOST = 2

const sizes = Array.from({ length: hosts }, (_, host) => {
  return Math.max(1, Math.floor(largest / (host + 1) ** 0.8))
})
const total = sizes.reduce((sum, size) => sum + size, 0)
const urlOf = (host: number, page: number) => `http://host-${host}.test/${page}`

/** Returns the links of a page. They form a tree in each host, and a tree of the hosts; one goes to a popular page. */
function linksOf(url: string): string[] {
  const [, host = 0, page = 0] = /host-(\d+)\.test\/(\d+)/.exec(url)?.map(Number) ?? []
  const pages = [2 * page + 1, 2 * page + 2].filter((next) => next < (sizes[host] ?? 0))
  const others = page === 0 ? [2 * host + 1, 2 * host + 2].filter((next) => next < hosts) : []
  return [
    ...pages.map((next) => urlOf(host, next)),
    ...others.map((next) => urlOf(next, 0)),
    urlOf(page % hosts, 0),
  ]
}

/** The requests that the simulated servers received, by URL. */
const requests = new Map<string, number>()
const inFlight = new Map<string, { agent: string; count: number }>()
let overlappingRequests = 0
/** The times of death of agents, by the hosts that they had. */
const orphans = new Map<string, number>()
const takeovers: number[] = []

function began(host: string, url: string, agent: string): void {
  requests.set(url, (requests.get(url) ?? 0) + 1)
  const current = inFlight.get(host)
  if (current !== undefined && current.count > 0 && current.agent !== agent) overlappingRequests++
  inFlight.set(host, { agent, count: current?.agent === agent ? current.count + 1 : 1 })
  const diedAt = orphans.get(host)
  if (diedAt !== undefined) takeovers.push((performance.now() - diedAt) / lease)
  orphans.delete(host)
}

function ended(host: string, agent: string): void {
  const current = inFlight.get(host)
  if (current?.agent === agent) current.count--
}

const calls = { push: 0, exchange: 0, watchPartitions: 0, beat: 0 }

async function joinJob() {
  const store = await openRedisJobStore([redis.url], silentLogger())
  const options = { expectedUrls: total, falsePositiveRate: 0.001, forgetAfter: 1 }
  const queue = await store.join('simulation', {}, { name: 'redis-set', ...options })
  return { store, queue: counted(queue) }
}

function counted(queue: JobQueue): JobQueue {
  return new Proxy(queue, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (isCounted(name)) calls[name]++
        return Reflect.apply(value, target, args)
      }
    },
  })
}

function isCounted(name: string | symbol): name is keyof typeof calls {
  return Object.hasOwn(calls, name)
}

/** Adds the only seed. */
async function pushSeed(): Promise<void> {
  const { store, queue } = await joinJob()
  const url = urlOf(0, 0)
  const place = { sameDepthHops: 0, redirects: 0, hop: 'seed', isSeed: true } as const
  const row = { url, host: hostKey(url), depth: 0, text: encodeSharedUrl({ url, ...place }) }
  await queue.push(queue.partitionOf(row.host), [row])
  store.close()
}

/** One process of the job, without its workers. */
class Member {
  visits = 0
  readonly name: string
  readonly #frontier = new SharedFrontier(
    { depth: 1_000, perHost: PER_HOST, delay: 0, ignoreRobots: true },
    temporaryStorage(),
    { has: () => false, countAsSeed: () => {} },
    { addIfNew: () => {} },
  )
  readonly #barrier = new CommitBarrier((error) => {
    throw error
  })
  readonly #store: JobStore
  readonly #agent: Agent
  readonly #flying = new Map<NodeJS.Timeout, string>()
  readonly #end = Promise.withResolvers<void>()
  #isOver = false

  private constructor(name: string, store: JobStore, queue: JobQueue) {
    this.name = name
    this.#store = store
    const crawl = {
      ...{ lease, logger: silentLogger(), rates: {}, stop() {}, announceHost() {} },
      reportLinksAgain() {},
      totals: { addKnown() {} },
      scope: { joined: 0, joinedAfter: () => [], admit: () => false, widen: () => false },
      seedHosts: { takeFindings: () => [], addReported() {}, reportAgain() {} },
      sync: async () => {},
      pump: () => this.#pump(),
    }
    this.#agent = new Agent(crawl, { queue, agent: name }, this.#frontier, this.#barrier)
  }

  static async join(name: string): Promise<Member> {
    const { store, queue } = await joinJob()
    const member = new Member(name, store, queue)
    await member.#agent.start((error) => member.#end.reject(error))
    return member
  }

  /** Resolves when the job is complete, or the member has died. */
  get over(): Promise<void> {
    return this.#end.promise
  }

  /** Ends without releasing its hosts. */
  async die(): Promise<void> {
    this.#isOver = true
    for (const [timer, host] of this.#flying) {
      clearTimeout(timer)
      ended(host, this.name)
    }
    for (const { host, unfinished } of this.#frontier.leases.all) {
      if (unfinished > 0) orphans.set(host, performance.now())
    }
    await this.#agent.stop()
    this.#store.close()
    this.#end.resolve()
  }

  #pump(): void {
    if (this.#isOver) return
    const now = performance.now()
    for (const action of this.#frontier.take(CONCURRENCY - this.#flying.size, now)) {
      if (action.type !== 'visit') continue
      const { id, url } = action.crawlUrl
      const host = hostKey(url)
      began(host, url, this.name)
      const timer = setTimeout(() => {
        this.#flying.delete(timer)
        ended(host, this.name)
        this.#barrier.pass(() => this.#visited(id, url))
      }, latency)
      this.#flying.set(timer, host)
    }
    if (this.#frontier.unfinished === 0 && this.#flying.size === 0) void this.#finish()
  }

  #visited(id: number, url: string): void {
    if (this.#isOver) return
    this.visits++
    const discovered = linksOf(url)
    this.#frontier.visited(id, { discovered, nearer: [], sameDepth: [] }, performance.now())
    this.#pump()
  }

  async #finish(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    await this.#agent.stop()
    await this.#agent.end()
    this.#store.close()
    this.#end.resolve()
  }
}

async function redisTotals() {
  const info = await redis.ask('INFO', 'everything')
  const of = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1])
  const scripts = Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(info)?.[1] ?? 0)
  return { scripts, bytes: of('total_net_input_bytes') + of('total_net_output_bytes') }
}

const redis = await RedisServer.start()
try {
  const started = performance.now()
  const members: Member[] = []
  await pushSeed()
  for (let each = 0; each < agents - late; each++) members.push(await Member.join(`agent-${each}`))
  const until = async (share: number) => {
    while (requests.size < total * share) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const dying = members.slice(1, 1 + deaths)
  for (const [index, member] of dying.entries()) {
    await until(0.2 + (0.3 * index) / deaths)
    await member.die()
  }
  for (let each = agents - late; each < agents; each++) {
    members.push(await Member.join(`agent-${each}`))
  }
  await Promise.all(members.map(({ over }) => over))
  const seconds = (performance.now() - started) / 1_000
  const { scripts, bytes } = await redisTotals()
  const asked = [...requests.values()].reduce((sum, count) => sum + count, 0)
  const lived = members.slice(1 + deaths, agents - late).map(({ visits }) => visits)
  const newcomers = members.slice(agents - late).map(({ visits }) => visits)
  const ratio = (all: readonly number[]) => {
    if (all.length === 0) return 'none'
    const { median, least, most } = spreadOf(all)
    return `${median.toFixed(1)} (${least.toFixed(1)} to ${most.toFixed(1)})`
  }
  console.log(`${agents} agents, ${deaths} died, ${late} came late; ${hosts} hosts, ${total} pages`)
  console.log(
    `${seconds.toFixed(1)} s; missing ${total - requests.size}, repeated ${asked - requests.size}`,
  )
  console.log(`requests to a host that another agent was asking: ${overlappingRequests}`)
  console.log(`pages of an agent: ${ratio(lived)}, of a late one: ${ratio(newcomers)}`)
  console.log(
    `a dead agent's host is asked again after ${ratio(takeovers)} leases (${takeovers.length} hosts)`,
  )
  console.log(
    `Redis: ${(scripts / asked).toFixed(2)} calls and ${(bytes / asked).toFixed(0)} bytes per page`,
  )
  const each = Object.entries(calls).map(([name, count]) => `${name} ${(count / asked).toFixed(2)}`)
  console.log(`of them ${each.join(', ')}; ${(scripts / seconds).toFixed(0)} calls per second`)
} finally {
  await redis.close()
}
