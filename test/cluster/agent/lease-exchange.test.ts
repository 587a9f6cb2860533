import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urlsOfEachHost } from '../../../src/cluster/agent/host-leases.ts'
import { JobProgress } from '../../../src/cluster/agent/job-progress.ts'
import { LeaseExchange } from '../../../src/cluster/agent/lease-exchange.ts'
import { SharedFrontier } from '../../../src/cluster/agent/shared-frontier.ts'
import type { JobQueue, PushedUrl } from '../../../src/cluster/job-queue.ts'
import { RedisJobQueue } from '../../../src/cluster/redis/redis-job-queue.ts'
import type { Servers } from '../../../src/cluster/redis/servers.ts'
import { parseRobots } from '../../../src/robots/parse.ts'
import { temporaryStorage } from '../../../src/state/crawl-database.ts'
import { hostKey } from '../../../src/url/host-key.ts'
import { found } from '../../frontier/open-frontier.ts'
import { connect } from '../../support/redis-server.ts'
import { freshName, REDIS_SETUPS } from '../../support/redis-setups.ts'

const SEEN = { name: 'redis-set', expectedUrls: 1, falsePositiveRate: 0.1, forgetAfter: 1 } as const
const HOSTS = ['a', 'b', 'c', 'd'].map((host) => `http://${host}.test`)
const PAGES = 40
const URLS = HOSTS.flatMap((host) => Array.from({ length: PAGES }, (_, page) => `${host}/${page}`))
/** What robots.txt asks for, in milliseconds. */
const CRAWL_DELAY = 20

describe.each(REDIS_SETUPS)('on %s', (_, start) => {
  let servers: Servers

  beforeAll(async () => {
    servers = await connect((await start()).url)
  })

  afterAll(() => servers.close())

  it('a process that joins late gets its share of the hosts, with what is known of them', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const early = new Member(queue)
    await early.leaseExchange.push(URLS.map(pushedUrl))
    await early.exchange(4)
    for (const origin of early.ask()) early.answerRobots(origin)
    while (early.inFlight < 4) early.ask()
    const late = new Member(queue)
    await late.exchange(2)
    await early.exchange(2, true)
    // All are in flight there.
    expect([early.frontier.leases.size, late.frontier.leases.size]).toEqual([4, 0])
    early.answerAll()
    early.ask()
    await early.exchange(2, true)
    while (late.frontier.leases.size < 2) await late.exchange(2)
    expect(early.frontier.leases.size).toBe(2)

    for (let turn = 0; turn < 3 * PAGES; turn++) {
      for (const each of [early, late]) {
        expect(each.ask()).toEqual([])
        each.answerAll()
      }
    }
    expect([...early.visited, ...late.visited].toSorted()).toEqual(URLS.toSorted())
    expect(hostsOf(late.visited)).toHaveLength(2)
    expect(hostsOf(early.visited)).toHaveLength(4)
  })

  it('a process leases as many hosts as it needs to be busy while each waits for its delay', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const member = new Member(queue)
    const hosts = Array.from({ length: 600 }, (_, host) => `http://${host}.test/`)
    await member.leaseExchange.push(hosts.map(pushedUrl))
    for (let cycle = 0; cycle < 30; cycle++) await member.exchange(hosts.length)
    expect(member.frontier.leases.size).toBe(hosts.length)
    expect(member.frontier.leases.areSafe).toBe(true)
  })

  it('a process calls the partitions of its hosts, and others when no process has called them for a while', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const busy = new Member(queue)
    await busy.leaseExchange.push(URLS.map(pushedUrl))
    await busy.exchange(4)
    const called = [...new Set(URLS.map((url) => queue.partitionOf(hostKey(url))))].toSorted(
      ascending,
    )
    // Those that it asked for hosts may have leased more, in replies that were lost.
    expect(await busy.plan({ isRenewal: true })).toEqual(called)
    const renewal = busy.leaseExchange.plan({ ...RENEWAL, share: 4 }, 0)
    expect(renewal.map(({ partition }) => partition).toSorted(ascending)).toEqual(called)

    const idle = new Member(queue, 400)
    await sleep(120)
    await idle.view()
    expect(idle.leaseExchange.hasNeglected).toBe(true)
    expect(await idle.plan({ isRenewal: false })).toEqual(called)
    expect(await idle.plan({ isRenewal: true })).toEqual([])
    await idle.view()
    expect(idle.leaseExchange.hasNeglected).toBe(false)
  })

  it('a process asks a partition that gave fewer hosts than it wanted again only after another view', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const [one, other] = [new Member(queue), new Member(queue)]
    await one.leaseExchange.push(URLS.slice(0, 1).map(pushedUrl))
    await Promise.all([one.view(), other.view()])
    expect(await one.plan({ isRenewal: false, share: 9 })).toHaveLength(1)
    expect(await other.plan({ isRenewal: false, share: 9 })).toHaveLength(1)
    expect(await other.plan({ isRenewal: false, share: 9 })).toEqual([])
  })
})

it.each([
  [1, 256],
  [500, 256],
  [1_000, 128],
  [4_000, 32],
])('a process with %i hosts has %i URLs of each at most', (hosts, urls) => {
  expect(urlsOfEachHost(hosts)).toBe(urls)
})

function pushedUrl(url: string): PushedUrl {
  return { url, host: hostKey(url), depth: 0, text: JSON.stringify([url, 0, 0, 'link', 0]) }
}

function hostsOf(urls: readonly string[]): string[] {
  return [...new Set(urls.map((url) => hostKey(url)))]
}

const ascending = (a: number, b: number) => a - b
const RENEWAL = { isRenewal: true, share: 0, othersAskForHosts: false }

/** What a process does between its workers and Redis, in a time of its own. */
class Member {
  readonly frontier = new SharedFrontier(
    { depth: 0, perHost: 6, delay: 1, ignoreRobots: false },
    temporaryStorage(),
    { has: () => false, addToChain: () => {} },
  )
  readonly leaseExchange: LeaseExchange
  readonly visited: string[] = []
  readonly #queue: JobQueue
  readonly #safeDepth = new JobProgress()
  readonly #inFlight = new Map<number, string>()
  readonly #askedAt = new Map<string, number>()
  #now = Math.ceil(performance.now())

  constructor(queue: JobQueue, ttl = 3_600_000) {
    this.#queue = queue
    this.leaseExchange = new LeaseExchange(queue, this.frontier, this.#safeDepth, 'member', ttl)
  }

  async view(): Promise<void> {
    this.#safeDepth.update(await this.#queue.viewPartitions(0))
  }

  /** Runs what is planned with the views that it has. Returns the partitions that it calls. */
  async plan(needs: { readonly isRenewal: boolean; readonly share?: number }): Promise<number[]> {
    const requests = this.leaseExchange.plan({ ...RENEWAL, ...needs }, this.#now)
    await this.leaseExchange.run(requests)
    return requests.map(({ partition }) => partition).toSorted(ascending)
  }

  async exchange(share: number, othersAskForHosts = false): Promise<void> {
    await this.view()
    await this.leaseExchange.run(
      this.leaseExchange.plan({ isRenewal: false, share, othersAskForHosts }, this.#now),
    )
  }

  /** Asks for all that may be asked for by now; gives the origins whose robots.txt it wants. */
  ask(): string[] {
    this.#now = Math.ceil(Math.max(this.#now + CRAWL_DELAY / 2, performance.now()))
    const orders = this.frontier.take(100, this.#now)
    for (const order of orders) {
      if (order.type !== 'visit') continue
      const { id, url } = order.crawlUrl
      const host = hostKey(url)
      expect(this.#now - (this.#askedAt.get(host) ?? 0)).toBeGreaterThanOrEqual(CRAWL_DELAY)
      this.#askedAt.set(host, this.#now)
      this.#inFlight.set(id, url)
    }
    return orders.flatMap((order) => (order.type === 'robots' ? [order.origin] : []))
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  answerRobots(origin: string): void {
    const rules = parseRobots(`User-agent: *\nCrawl-delay: ${CRAWL_DELAY / 1_000}`, 'test')
    this.frontier.setRobots(origin, { access: 'rules', rules }, this.#now)
  }

  answerAll(): void {
    for (const [id, url] of this.#inFlight) {
      this.frontier.visited(id, found([]), this.#now)
      this.visited.push(url)
    }
    this.#inFlight.clear()
  }
}
