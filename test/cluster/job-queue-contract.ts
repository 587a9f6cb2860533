import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  AgentBeat,
  JobQueue,
  LeasedHostUrls,
  LeaseReply,
  LeaseRequest,
  RateDemand,
} from '../../src/cluster/job-queue.ts'
import type { JobStore } from '../../src/cluster/job-store.ts'
import type { SharedSeenName } from '../../src/cluster/shared-seen-options.ts'
import { SHARED_SEEN_NAMES } from '../../src/config/settings/seen-settings.ts'
import { freshName } from '../support/redis-setups.ts'
import { until } from '../support/until.ts'

const HOST = 'www.baidu.com'
const WORDS = Array.from({ length: 100 }, (_, word) => `https://${HOST}/s?wd=${word}`)
const REQUEST: LeaseRequest = {
  ...{ agent: 'a', ttl: 60_000, longestPause: 60_000, maxDepth: 0, hosts: 1, batch: 1_000 },
  held: [],
}
const BEAT: AgentBeat = {
  ...{ agent: 'a', ttl: 60_000, isHungry: true },
  ...{ widened: [], seedHosts: [] },
}

/** Returns the report of an agent that has nothing to report about the host. */
export function idleReport(epoch: string) {
  return { host: HOST, epoch, done: [], unfinished: 0, want: 1_000 }
}

/** The partition of one host in a queue, and an agent's calls on it. */
export class OnePartition {
  readonly host = HOST
  readonly partition: number
  readonly #queue: JobQueue

  constructor(queue: JobQueue) {
    this.#queue = queue
    this.partition = queue.partitionOf(HOST)
  }

  push(urls: readonly string[], depth = 0): Promise<void> {
    const rows = urls.map((url) => ({ url, host: HOST, depth, text: url }))
    return this.#queue.push(this.partition, rows)
  }

  exchange(agent: string, request: Partial<LeaseRequest> = {}): Promise<LeaseReply> {
    return this.#queue.exchange(this.partition, { ...REQUEST, agent, ...request })
  }
}

/** Returns names of other hosts of a partition, in order. */
function neighborsOf(queue: JobQueue, partition: number, count: number): string[] {
  const names = Array.from({ length: 100 * count }, (_, n) => `neighbor-${n}.test`)
  return names
    .filter((host) => queue.partitionOf(host) === partition)
    .slice(0, count)
    .toSorted()
}

/** Repeats an exchange until it leases a host. */
export async function untilLeased(
  exchange: () => Promise<LeaseReply>,
  watch?: () => Promise<unknown>,
): Promise<LeasedHostUrls> {
  for (;;) {
    await watch?.()
    const [host] = (await exchange()).hosts
    if (host !== undefined) return host
  }
}

/** Begins a new job. */
export function joinFresh(
  store: JobStore,
  seen: SharedSeenName = 'redis-set',
  name = freshName(),
): Promise<JobQueue> {
  const sizes = { expectedUrls: 1_000, falsePositiveRate: 1e-6, forgetAfter: 60_000 }
  return store.join(name, {}, { name: seen, ...sizes })
}

/**
 * Tests that any implementation of JobQueue has to pass.
 * @param open connects to servers for jobs
 */
export function testJobQueue(open: () => Promise<JobStore>): void {
  let store: JobStore

  beforeAll(async () => {
    store = await open()
  })

  afterAll(() => store.close())

  const begin = async (seen?: SharedSeenName) => {
    const queue = await joinFresh(store, seen)
    return { queue, one: new OnePartition(queue) }
  }

  describe.each(SHARED_SEEN_NAMES)('the seen test %s', (seen) => {
    it('passes 100 of 110 URLs, and filters 10, like Scrapy-Redis', async () => {
      const { one } = await begin(seen)
      await one.push(WORDS.slice(0, 10))
      await one.push(WORDS)
      const { hosts, known } = await one.exchange('a')
      expect(hosts[0]?.urls.map(({ text }) => text)).toEqual(WORDS)
      expect(known).toBe(10)
    })

    it('gives each URL to only one of two agents that add it at the same time', async () => {
      const { one } = await begin(seen)
      await Promise.all([one.push(WORDS), one.push(WORDS.slice(0, 10)), one.push(WORDS)])
      const [first, second] = await Promise.all([one.exchange('a'), one.exchange('b')])
      const urls = [...first.hosts, ...second.hosts].flatMap((host) => host.urls)
      expect(urls.map(({ text }) => text).toSorted()).toEqual(WORDS.toSorted())
      expect(first.known + second.known).toBe(110)
    })
  })

  describe('a partition', () => {
    it('is chosen by the host alone, and all partitions are used', async () => {
      const { queue } = await begin()
      const again = await joinFresh(store, 'redis-set', queue.name)
      const hosts = Array.from({ length: 40 * queue.partitionCount }, (_, n) => `host-${n}.test`)
      const partitions = hosts.map((host) => queue.partitionOf(host))
      expect(hosts.map((host) => again.partitionOf(host))).toEqual(partitions)
      const all = Array.from({ length: queue.partitionCount }, (_, index) => index)
      expect([...new Set(partitions)].toSorted((a, b) => a - b)).toEqual(all)
    })

    it('counts its hosts, and its URLs by depth', async () => {
      const { queue, one } = await begin()
      await one.push(WORDS.slice(0, 2))
      await one.push(WORDS.slice(2, 5), 3)
      const view = async () => (await queue.viewPartitions())[one.partition]
      const open = [
        [0, 2],
        [3, 3],
      ]
      const none = { visits: 0, bytes: 0, orphans: 0 }
      expect(await view()).toEqual({ added: 5, open, free: 1, active: 1, ...none })
      const [host] = (await one.exchange('a')).hosts
      expect(await view()).toMatchObject({ added: 5, open, free: 0, active: 1, orphans: 0 })
      const done = (host?.urls ?? []).map(({ id }) => [id] as const)
      await one.exchange('a', { held: [{ ...idleReport(host?.epoch ?? ''), done }] })
      expect((await view())?.open).toEqual([[3, 3]])
      expect(await queue.viewPartitions()).toHaveLength(queue.partitionCount)
    })

    it('reports when its first lease ends, and takes back ended ones', async () => {
      const { queue, one } = await begin()
      await one.push(WORDS)
      await one.exchange('a', { ttl: 300 })
      const view = async () => (await queue.watchPartitions(0, 300))[one.partition]
      const held = await view()
      expect(held).toMatchObject({ free: 0, orphans: 0 })
      await sleep(held?.endsIn ?? 0)
      await until(async () => (await view())?.orphans === 1)
      expect(await view()).toMatchObject({ free: 1, active: 1, orphans: 1 })
    })

    it('leases hosts whose lease has ended before all others, and only those on request', async () => {
      const { queue, one } = await begin()
      await one.push(WORDS)
      await one.exchange('a', { ttl: 1 })
      const others = neighborsOf(queue, one.partition, 3)
      const rows = others.map((host) => ({ url: `http://${host}/`, host, depth: 0, text: host }))
      await queue.push(one.partition, rows)
      await until(async () => {
        return (await queue.watchPartitions(0, 1_000))[one.partition]?.orphans === 1
      })
      const reply = await one.exchange('b', { hosts: 2, onlyOrphans: true })
      expect(reply.hosts.map(({ host }) => host)).toEqual([HOST])
      expect(reply.hosts[0]?.lostFor).toBeGreaterThanOrEqual(0)
      const rest = await one.exchange('b', { hosts: 9 })
      expect(rest.hosts.map(({ host }) => host).toSorted()).toEqual(others)
      expect(rest.hosts.map(({ lostFor }) => lostFor)).toEqual(others.map(() => undefined))
    })

    it('has lost no URLs if its server was never away', async () => {
      const { queue, one } = await begin()
      await one.push(WORDS)
      expect([queue.mayHaveLostUrls, queue.takeLostUrls()]).toEqual([false, []])
    })
  })

  describe('a lease', () => {
    it('hands out no URL beyond the maximum depth', async () => {
      const { one } = await begin()
      await one.push(WORDS.slice(0, 2), 1)
      expect((await one.exchange('a')).hosts).toEqual([])
      expect((await one.exchange('a', { maxDepth: 1 })).hosts[0]?.urls).toHaveLength(2)
    })

    it('passes its URLs to the next agent when it has ended, and refuses the first agent', async () => {
      const { queue, one } = await begin()
      await one.push(WORDS.slice(0, 3))
      const [first] = (await one.exchange('a', { ttl: 1 })).hosts
      const [url] = first?.urls ?? []
      const watch = () => queue.watchPartitions(0, 1_000)
      const again = await untilLeased(() => one.exchange('b', { ttl: 1_000 }), watch)
      expect(again.urls.map(({ text, attempts }) => [text, attempts])).toEqual(
        WORDS.slice(0, 3).map((text) => [text, 1]),
      )
      const report = idleReport(first?.epoch ?? '')
      const late = { ...report, done: [[url?.id ?? '', 5] as const], past: 'late', wait: 0 }
      expect((await one.exchange('a', { held: [late] })).lost).toEqual([HOST])
      const { hosts } = await one.exchange('b', { held: [idleReport(again.epoch)] })
      expect(hosts[0]?.urls).toHaveLength(3)
    })

    it('passes the past of a host to the next agent, with its unfinished URLs', async () => {
      const { one } = await begin()
      await one.push(WORDS.slice(0, 3))
      const [host] = (await one.exchange('a')).hosts
      const facts = { past: '{"pages":2}', wait: 0, robots: { 'https://a.b': 'rules' } }
      const [first, second] = host?.urls ?? []
      const done = [[first?.id ?? ''] as const]
      const back = {
        ...idleReport(host?.epoch ?? ''),
        ...facts,
        done,
        unfinished: 2,
        release: true,
      }
      await one.exchange('a', { held: [back], hosts: 0 })
      // The clock of a server may be set back slightly.
      const next = await untilLeased(() => one.exchange('b'))
      expect(next).toMatchObject({ past: facts.past, robots: [['https://a.b', 'rules']] })
      expect(next.urls.map(({ text }) => text)).toEqual(WORDS.slice(1, 3))
      expect(next.urls[0]).toMatchObject({ text: second?.text, attempts: 0 })
    })

    it('is not granted for a host that has to wait', async () => {
      const { one } = await begin()
      await one.push(WORDS.slice(0, 1))
      const [host] = (await one.exchange('a')).hosts
      const report = { ...idleReport(host?.epoch ?? ''), unfinished: 1, release: true }
      await one.exchange('a', { held: [{ ...report, past: '{}', wait: 60_000 }], hosts: 0 })
      expect((await one.exchange('b')).hosts).toEqual([])
    })

    it('is taken back if the reply that granted it was lost', async () => {
      const { one } = await begin()
      await one.push(WORDS.slice(0, 2))
      await one.exchange('a')
      expect((await one.exchange('a')).hosts).toEqual([])
      const [again] = (await one.exchange('a', { others: [] })).hosts
      expect(again?.urls.map(({ attempts }) => attempts)).toEqual([0, 0])
    })

    it('repeats URLs if the reply with them was lost', async () => {
      const { one } = await begin()
      await one.push(WORDS.slice(0, 3))
      const [host] = (await one.exchange('a', { batch: 1 })).hosts
      const report = { ...idleReport(host?.epoch ?? ''), unfinished: 1 }
      await one.exchange('a', { held: [report] })
      const [all] = (await one.exchange('a', { held: [report] })).hosts
      expect(all?.urls.map(({ text }) => text).toSorted()).toEqual(WORDS.slice(0, 3).toSorted())
    })
  })

  describe('a job', () => {
    it('keeps the settings of its first agent', async () => {
      const name = freshName()
      const seen = { name: 'redis-set', expectedUrls: 9, falsePositiveRate: 0.1 } as const
      const first = await store.join(name, { depth: 3 }, { ...seen, forgetAfter: 1 })
      const second = await store.join(name, { depth: 4 }, { ...seen, forgetAfter: 1 })
      expect([first.settings, second.settings]).toEqual([{ depth: 3 }, { depth: 3 }])
      expect([second.name, second.state]).toEqual([name, 'running'])
    })

    it('shares additions to the scope and findings about seeds with other agents, once', async () => {
      const { queue } = await begin()
      const other = await joinFresh(store, 'redis-set', queue.name)
      const finding = { host: 'a.b:80', isPrivate: true }
      await queue.beat({ ...BEAT, widened: ['http://b.c/'], seedHosts: [finding] })
      const beat = () => other.beat({ ...BEAT, agent: 'b', isHungry: false })
      expect(await beat()).toEqual({
        ...{ state: 'running', agents: 2, hungry: 1 },
        ...{ widened: ['http://b.c/'], seedHosts: [finding] },
      })
      // URLs of the last millisecond may be repeated.
      let status = await beat()
      for (let turn = 0; turn < 20 && status.seedHosts.length > 0; turn++) status = await beat()
      expect(status).toMatchObject({ widened: ['http://b.c/'], seedHosts: [] })
    })

    it('is paused, stopped and resumed, and deleted if it has no agents', async () => {
      const { queue, one } = await begin()
      const { name } = queue
      await one.push(WORDS.slice(0, 2))
      await queue.beat(BEAT)
      await store.control(name, 'pause')
      expect(await queue.beat({ ...BEAT, agent: 'b', isHungry: false })).toMatchObject({
        ...{ state: 'paused', agents: 2, hungry: 1 },
      })
      expect(await store.show(name)).toMatchObject({
        ...{ state: 'paused', agents: 2, visits: 0, bytes: 0, added: 2, open: 2, held: 0 },
      })
      await expect(store.delete(name)).rejects.toThrow('got 2 processes')
      await store.control(name, 'stop')
      for (const agent of ['a', 'b']) await queue.beat({ ...BEAT, agent, ttl: 0 })
      await store.delete(name)
      await expect(queue.beat(BEAT)).rejects.toThrow('it was deleted')
      await expect(store.show(name)).rejects.toThrow('no job of this name')
    })

    it('counts the visits of a dead agent once each, and no URLs without a record', async () => {
      const { queue, one } = await begin()
      await one.push(WORDS.slice(0, 4))
      await queue.beat({ ...BEAT, ttl: 1 })
      const [host] = (await one.exchange('a', { ttl: 1 })).hosts
      const [first, failed, skipped] = (host?.urls ?? []).map(({ id }) => id)
      const done = [[first ?? '', 2 ** 40], [failed ?? '', 0], [skipped ?? '']] as const
      const report = { ...idleReport(host?.epoch ?? ''), done, unfinished: 1 }
      // A reply may be lost, so the agent reports again.
      await one.exchange('a', { held: [report], ttl: 1 })
      await one.exchange('a', { held: [report], ttl: 1 })
      expect(await store.show(queue.name)).toMatchObject({ visits: 2, bytes: 2 ** 40, open: 1 })
    })

    it('is not resumed once it is finished', async () => {
      const { queue } = await begin()
      await queue.finish()
      await expect(store.control(queue.name, 'resume')).rejects.toThrow(
        "can't resume a finished job",
      )
    })
  })

  describe('a rate', () => {
    const demand = (perSecond: number, needed: number, wanted = 0): RateDemand => {
      return { name: 'requests', perSecond, needed, wanted }
    }

    it('is shared by all processes, which get permits for a moment only', async () => {
      const { queue } = await begin()
      const other = await joinFresh(store, 'redis-set', queue.name)
      const first = await queue.reserve([demand(0.1, 5)])
      expect(first.grants).toEqual([{ delay: 0, count: 1 }])
      const {
        now,
        grants: [next],
      } = await other.reserve([demand(0.1, 5)])
      expect(now).toBeGreaterThan(first.now)
      expect(next?.count).toBe(0)
      expect(next?.delay).toBeGreaterThan(1_000)
    })

    it('grants the permits that are needed, and part of the further ones requested', async () => {
      const { queue } = await begin()
      const [few] = (await queue.reserve([demand(1_000, 10, 20)])).grants
      expect(few?.count).toBe(30)
      const bytes: RateDemand = { ...demand(1_000, 0, 1_000), name: 'bytes' }
      const [requests, half] = (await queue.reserve([demand(1_000, 1), bytes])).grants
      expect(requests?.count).toBe(1)
      expect(half).toEqual({ delay: 0, count: 150 })
    })
  })

  it('a job queue rejects calls once it is closed', async () => {
    const own = await open()
    const queue = await joinFresh(own)
    queue.close()
    await expect(queue.beat(BEAT)).rejects.toMatchObject({ kind: 'redis' })
  })

  it('a job store returns an error unchanged if damaged data did not cause it', () => {
    const error = new Error('other')
    expect(store.describeError('a', error)).toBe(error)
  })

  it('a job store finds a job only after a process has joined it', async () => {
    const sizes = { expectedUrls: 1_000, falsePositiveRate: 1e-6, forgetAfter: 60_000 }
    const find = (name: string) => store.find(name, { name: 'redis-set', ...sizes })
    expect(await find(freshName())).toBeUndefined()
    const { queue } = await begin()
    expect(await find(queue.name)).toMatchObject({ name: queue.name, state: 'running' })
  })
}
