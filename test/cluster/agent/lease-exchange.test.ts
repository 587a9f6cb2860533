import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { urlsOfEachHost } from '../../../src/cluster/agent/host-leases.ts'
import { JobProgress } from '../../../src/cluster/agent/job-progress.ts'
import { LeaseExchange } from '../../../src/cluster/agent/lease-exchange.ts'
import { type LeaseTimes, leaseTimes } from '../../../src/cluster/agent/lease-times.ts'
import { SharedFrontier } from '../../../src/cluster/agent/shared-frontier.ts'
import type { JobQueue, PushedUrl } from '../../../src/cluster/job-queue.ts'
import { RedisJobQueue } from '../../../src/cluster/redis/redis-job-queue.ts'
import type { Servers } from '../../../src/cluster/redis/servers.ts'
import { temporaryStorage } from '../../../src/state/crawl-storage.ts'
import { hostKey } from '../../../src/url/host-key.ts'
import { found } from '../../frontier/open-frontier.ts'
import { connect, RedisServer } from '../../support/redis-server.ts'
import { freshName, REDIS_SETUPS } from '../../support/redis-setups.ts'
import { parseRobotsText } from '../../support/robots-text.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'

const SEEN = { name: 'redis-set', expectedUrls: 1, falsePositiveRate: 0.1, forgetAfter: 1 } as const
const HOSTS = ['a', 'b', 'c', 'd'].map((host) => `http://${host}.test`)
const PAGES = 40
const URLS = HOSTS.flatMap((host) => Array.from({ length: PAGES }, (_, page) => `${host}/${page}`))
const HOUR = 3_600_000
/** Crawl-delay of robots.txt in milliseconds. */
const CRAWL_DELAY = 20

describe.each(REDIS_SETUPS)('on %s', (_, start) => {
  let servers: Servers

  beforeAll(async () => {
    servers = await connect((await start()).url)
  })

  afterAll(() => servers.close())

  it('a process that joins late gets its share of the hosts, with their past', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const early = new Member(queue)
    await early.leaseExchange.push(URLS.map(pushedUrl))
    await early.exchange(4)
    for (const origin of early.request()) early.answerRobots(origin)
    while (early.inFlight < 4) early.request()
    const late = new Member(queue)
    await late.exchange(2)
    await early.exchange(2, true)
    // All of its URLs are in flight.
    expect([early.frontier.leases.size, late.frontier.leases.size]).toEqual([4, 0])
    early.answerAll()
    early.request()
    await early.exchange(2, true)
    while (late.frontier.leases.size < 2) await late.exchange(2)
    expect(early.frontier.leases.size).toBe(2)

    for (let turn = 0; turn < 3 * PAGES; turn++) {
      for (const each of [early, late]) {
        expect(each.request()).toEqual([])
        each.answerAll()
      }
    }
    expect([...early.visited, ...late.visited].toSorted()).toEqual(URLS.toSorted())
    expect(hostsOf(late.visited)).toHaveLength(2)
    expect(hostsOf(early.visited)).toHaveLength(4)
  })

  it('a process leases as many hosts as it needs to stay busy while each waits for its delay', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const member = new Member(queue)
    const hosts = Array.from({ length: 600 }, (_, host) => `http://${host}.test/`)
    await member.leaseExchange.push(hosts.map(pushedUrl))
    for (let cycle = 0; cycle < 3; cycle++) await member.exchange(hosts.length)
    expect(member.frontier.leases.size).toBe(hosts.length)
    expect(member.frontier.leases.areSafe).toBe(true)
  })

  it('a process takes further hosts before it has run out of URLs', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const member = new Member(queue)
    await member.leaseExchange.push(HOSTS.map((host) => pushedUrl(`${host}/`)))
    await member.exchange(2)
    expect(member.frontier.take(1, performance.now() + 10)).toHaveLength(1)
    expect([member.frontier.isHungry, member.frontier.leases.size]).toEqual([false, 2])
    await member.exchange(4)
    expect(member.frontier.leases.size).toBe(4)
  })

  it('a process takes at most 32 hosts of a partition in one call, since a call blocks its server', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const member = new Member(queue)
    const urls = Array.from({ length: 2_000 }, (_, host) => `http://${host}.test/`)
    const hosts = urls.filter((url) => queue.partitionOf(hostKey(url)) === 0).slice(0, 40)
    await member.leaseExchange.push(hosts.map(pushedUrl))
    await member.exchange(hosts.length)
    expect(member.frontier.leases.size).toBe(32)
    await member.exchange(hosts.length)
    expect(member.frontier.leases.size).toBe(40)
  })

  it('a process renews its leases early enough to be stopped for half of --lease', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const member = new Member(queue)
    await member.leaseExchange.push(URLS.map(pushedUrl))
    await member.exchange(4)
    const called = [...new Set(URLS.map((url) => queue.partitionOf(hostKey(url))))].toSorted(
      ascending,
    )
    const { leaseExchange } = member
    expect(await member.plan()).toEqual([])
    expect(leaseTimes(HOUR).ttl - leaseExchange.renewalIn).toBeGreaterThan(HOUR / 2)
    member.leaseTime += leaseExchange.renewalIn + 1
    expect(await member.plan()).toEqual(called)
    expect(leaseExchange.renewalIn).toBeGreaterThan(0)
  })

  it('a process calls partitions whose lost replies may have leased hosts to it', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const member = new Member(queue)
    const [url = ''] = URLS
    await member.leaseExchange.push([pushedUrl(url)])
    await member.view()
    const partition = queue.partitionOf(hostKey(url))
    const rival = { agent: 'rival', ttl: 60_000, longestPause: 1, maxDepth: 0, batch: 1, held: [] }
    await queue.exchange(partition, { ...rival, hosts: 1 })
    expect(await member.plan({ share: 1 })).toEqual([partition])
    expect(await member.plan()).toEqual([])
    member.leaseTime += HOUR / 3
    expect(await member.plan()).toEqual([partition])
    member.leaseTime += HOUR / 3
    expect(await member.plan()).toEqual([])
  })

  it('a busy process takes the hosts of a dead one, and hosts that other processes leave', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const [dead, busy] = [new Member(queue, 500), new Member(queue)]
    await busy.leaseExchange.push(URLS.map(pushedUrl))
    await busy.exchange(1)
    await dead.exchange(3)
    // The process has more than it can request at once.
    busy.frontier.take(1, 0)
    expect([dead, busy].map(({ frontier }) => frontier.leases.size)).toEqual([3, 1])
    await busy.view()
    await until(async () => {
      await busy.view()
      return busy.leaseExchange.canTake({ ...NEEDS, share: 1 })
    })
    await sleep(20)
    for (const size of [2, 3, 4]) {
      await busy.view()
      await busy.plan({ share: 1, agents: 4 })
      expect(busy.frontier.leases.size).toBeGreaterThanOrEqual(size)
    }
  })

  it('a process that got too few hosts from a partition waits for a new view before it asks again', async () => {
    const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const [one, other] = [new Member(queue), new Member(queue)]
    await one.leaseExchange.push(URLS.slice(0, 1).map(pushedUrl))
    await Promise.all([one.view(), other.view()])
    expect(await one.plan({ share: 9 })).toHaveLength(1)
    expect(await other.plan({ share: 9 })).toHaveLength(1)
    expect(await other.plan({ share: 9 })).toEqual([])
  })
})

it('a process compares its leases with those of each server after an outage of any of them', async () => {
  const redis = await Promise.all([RedisServer.start(), RedisServer.start()])
  const proxies = await Promise.all(redis.map(({ port }) => startTcpProxy(port)))
  const servers = await connect(...proxies.map(({ port }) => `redis://127.0.0.1:${port}`))
  onTestFinished(async () => {
    servers.close()
    await Promise.all([...proxies, ...redis].map((each) => each.close()))
  })
  const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
  const member = new Member(queue)
  await member.leaseExchange.push(URLS.map(pushedUrl))
  await member.exchange(4)
  expect(await member.plan({}, true)).toEqual([])
  for (const proxy of proxies) {
    proxy.cut()
    await member.view()
    expect(await member.plan({}, true)).toHaveLength(queue.partitionCount)
    expect(await member.plan({}, true)).toEqual([])
  }
})

it.each([
  [1, 256],
  [500, 256],
  [1_000, 128],
  [4_000, 32],
])('a process with %i hosts leases at most %i URLs of each', (hosts, urls) => {
  expect(urlsOfEachHost(hosts)).toBe(urls)
})

function pushedUrl(url: string): PushedUrl {
  return { url, host: hostKey(url), depth: 0, text: JSON.stringify([url, 0, 0, 'link', 0]) }
}

function hostsOf(urls: readonly string[]): string[] {
  return [...new Set(urls.map((url) => hostKey(url)))]
}

const ascending = (a: number, b: number) => a - b
const NEEDS = { share: 0, agents: 1, isAnyHungry: false }

/** The part of a process between its workers and Redis, with its own time. */
class Member {
  /** The clock of its leases, in milliseconds. */
  leaseTime = performance.now()
  readonly frontier = new SharedFrontier(
    { depth: 0, perHost: 6, delay: 1, ignoreRobots: false },
    temporaryStorage(),
    { has: () => false, countAsSeed: () => {} },
    { addIfNew: () => {} },
  )
  readonly leaseExchange: LeaseExchange
  readonly visited: string[] = []
  readonly #queue: JobQueue
  readonly #times: LeaseTimes
  readonly #progress = new JobProgress()
  readonly #inFlight = new Map<number, string>()
  readonly #requestedAt = new Map<string, number>()
  #now = Math.ceil(performance.now())

  constructor(queue: JobQueue, lease = HOUR) {
    this.#queue = queue
    this.#times = leaseTimes(lease)
    const { frontier } = this
    Object.defineProperty(frontier.leases.clock, 'now', { get: () => this.leaseTime })
    const name = `member-${freshName()}`
    this.leaseExchange = new LeaseExchange(queue, frontier, this.#progress, name, this.#times)
  }

  async view(): Promise<void> {
    this.#progress.update(await this.#queue.watchPartitions(0, this.#times.ttl))
  }

  /** Plans an exchange with the current views. Returns the partitions that it calls. */
  async plan(needs: Partial<typeof NEEDS> = {}, renews = false): Promise<number[]> {
    const requests = this.leaseExchange.plan({ ...NEEDS, ...needs }, this.#now, renews)
    await this.leaseExchange.run(requests)
    return requests.map(({ partition }) => partition).toSorted(ascending)
  }

  async exchange(share: number, isAnyHungry = false): Promise<void> {
    await this.view()
    await this.leaseExchange.run(
      this.leaseExchange.plan({ share, agents: 2, isAnyHungry }, this.#now, false),
    )
  }

  /** Requests all URLs that may be requested by now. Returns the origins whose robots.txt it needs. */
  request(): string[] {
    this.#now = Math.ceil(Math.max(this.#now + CRAWL_DELAY / 2, performance.now()))
    const actions = this.frontier.take(100, this.#now)
    for (const action of actions) {
      if (action.type !== 'visit') continue
      const { id, url } = action.crawlUrl
      const host = hostKey(url)
      expect(this.#now - (this.#requestedAt.get(host) ?? 0)).toBeGreaterThanOrEqual(CRAWL_DELAY)
      this.#requestedAt.set(host, this.#now)
      this.#inFlight.set(id, url)
    }
    return actions.flatMap((action) => (action.type === 'robots' ? [action.origin] : []))
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  answerRobots(origin: string): void {
    const rules = parseRobotsText(`User-agent: *\nCrawl-delay: ${CRAWL_DELAY / 1_000}`, 'test')
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
