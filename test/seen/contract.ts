import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HashKey } from '../../src/hashing/half-siphash.ts'
import type { SeenName } from '../../src/seen/seen-set.ts'
import {
  allocateSeenSet,
  discardSeenSet,
  growsAsNeeded,
  openSeenSet,
} from '../../src/seen/seen-set-lifecycle.ts'
import { loadSnapshot, writeSnapshot } from '../../src/seen/snapshot.ts'
import type { SeenMemory } from '../../src/seen/strategies.ts'
import { IN_SOAK } from '../support/soak.ts'
import { survivesDeadThreads, waitsForLocks } from './dead-threads.ts'
import { torture } from './torture.ts'

const key: HashKey = [0x01234567, 0x89abcdef]

/** Tests the behavior of every seen set in shared memory. */
export function describeSeenSet(name: SeenName): void {
  describe(`the ${name} seen set, by contract`, () => {
    answersOncePerUrl(name)
    looksUpWithoutAdding(name)
    saysWhatItAdds(name)
    keepsUrlsApart(name)
    conforms(name)
    countsWhatItHolds(name)
    sharesBetweenThreads(name)
    outlivesTheProcess(name)
    survivesDeadThreads((expectedUrls) => allocate(name, expectedUrls))
    if (name !== 'digest') waitsForLocks((expectedUrls) => allocate(name, expectedUrls))
  })
}

function allocate(name: SeenName, expectedUrls = 10_000, directory?: string): SeenMemory {
  const options = { name, expectedUrls, falsePositiveRate: 1e-6, key }
  const memory = allocateSeenSet({ ...options, ...(directory !== undefined && { directory }) })
  onTestFinished(() => discardSeenSet(memory))
  return memory
}

function answersOncePerUrl(name: SeenName): void {
  it('returns for each URL, in order, whether it was new', async () => {
    const seen = openSeenSet(allocate(name), 0)
    expect(await seen.addIfNew(['http://a/', 'http://b/'])).toEqual([true, true])
    expect(await seen.addIfNew(['http://c/', 'http://b/', 'http://d/'])).toEqual([
      true,
      false,
      true,
    ])
  })

  it('returns true once for a URL that occurs twice in a batch', async () => {
    const seen = openSeenSet(allocate(name), 0)
    expect(await seen.addIfNew(['http://a/', 'http://b/', 'http://a/'])).toEqual([
      true,
      true,
      false,
    ])
  })

  it('returns nothing for an empty batch', async () => {
    expect(await openSeenSet(allocate(name), 0).addIfNew([])).toEqual([])
  })

  it('never reports a known URL as new, for any caller and however full it is', async () => {
    const memory = allocate(name, 1000)
    const urls = Array.from({ length: 10_000 }, (_, index) => `https://example.com/${index}`)
    await openSeenSet(memory, 1).addIfNew(urls)
    expect(await openSeenSet(memory, 2).addIfNew(urls)).not.toContain(true)
  })
}

function saysWhatItAdds(name: SeenName): void {
  it('reports the index of each URL before it adds it', () => {
    const memory = allocate(name)
    const [seen, other] = [openSeenSet(memory, 1), openSeenSet(memory, 2)]
    seen.addIfNew(['http://a/'])
    const calls: [place: number, isThere: readonly boolean[]][] = []
    const urls = ['http://b/', 'http://a/', 'http://c/']
    const answers = seen.addIfNew(urls, (place) => {
      // A hybrid set searches its memory under the lock that is held here.
      calls.push([place, name === 'hybrid' ? [false] : other.has([urls[place] ?? ''])])
    })
    expect(answers).toEqual([true, false, true])
    expect(calls).toEqual([
      [0, [false]],
      [2, [false]],
    ])
  })

  it('keeps no lock if a caller fails before its URL is added', () => {
    const memory = allocate(name)
    const fail = () => {
      throw new Error('no room')
    }
    expect(() => openSeenSet(memory, 1).addIfNew(['http://a/'], fail)).toThrow('no room')
    expect(new Int32Array(memory.locks).every((lock) => lock === 0)).toBe(true)
  })

  it('lets another owner add what an owner began before it died', () => {
    const memory = allocate(name)
    const die = () => {
      throw new Error('dead')
    }
    expect(() => openSeenSet(memory, 1).addIfNew(['http://a/'], die)).toThrow('dead')
    expect(openSeenSet(memory, 1).addIfNew(['http://a/'])).toEqual([true])
    openSeenSet(memory, 0).release(1)
    expect(openSeenSet(memory, 2).addIfNew(['http://a/'])).toEqual([false])
  })
}

function looksUpWithoutAdding(name: SeenName): void {
  it('returns in order whether it contains each URL, whoever added it', async () => {
    const memory = allocate(name)
    await openSeenSet(memory, 1).addIfNew(['http://a/', 'http://b/'])
    const seen = openSeenSet(memory, 2)
    expect(await seen.has([])).toEqual([])
    expect(await seen.has(['http://b/', 'http://c/', 'http://a/'])).toEqual([true, false, true])
  })

  it('adds nothing during a lookup', async () => {
    const seen = openSeenSet(allocate(name), 0)
    expect(await seen.has(['http://a/', 'http://a/'])).toEqual([false, false])
    expect(seen.stats()).toMatchObject({
      added: 0,
      fill: openSeenSet(allocate(name), 0).stats().fill,
    })
    expect(await seen.addIfNew(['http://a/'])).toEqual([true])
    expect(await seen.has(['http://a/'])).toEqual([true])
    expect(await seen.addIfNew(['http://a/', 'http://b/'])).toEqual([false, true])
  })

  it('contains every added URL, even beyond its capacity, and very long ones', async () => {
    const memory = allocate(name, 1000)
    const urls = Array.from({ length: 10_000 }, (_, index) => `https://example.com/${index}`)
    const all = [...urls, 'x'.repeat(300_000), '']
    await openSeenSet(memory, 1).addIfNew(all)
    expect(await openSeenSet(memory, 2).has(all)).not.toContain(false)
  })
}

function keepsUrlsApart(name: SeenName): void {
  it.each([
    ['the empty string', ['', '\0', '\0\0', '\0\0\0', '\0\0\0\0']],
    ['URLs that differ in their last byte', ['a', 'ab', 'abc', 'abcd', 'abce', 'abcde', 'abcdf']],
    [
      'URLs that are not ASCII',
      ['http://a/é', 'http://a/Ã©', 'http://a/ũ', 'http://a/😀', 'http://a/i'],
    ],
    ['very long URLs', ['x'.repeat(300_000), 'x'.repeat(300_001), `${'x'.repeat(300_000)}y`]],
  ])('distinguishes %s', async (_, urls) => {
    const seen = openSeenSet(allocate(name), 0)
    expect(await seen.addIfNew(urls)).toEqual(urls.map(() => true))
    expect(await seen.addIfNew(urls)).toEqual(urls.map(() => false))
  })
}

function conforms(name: SeenName): void {
  it('contains Hello and World after adding them, and not Python', async () => {
    const seen = openSeenSet(allocate(name), 0)
    await seen.addIfNew(['Hello', 'World'])
    expect(await seen.addIfNew(['Hello', 'World', 'Python'])).toEqual([false, false, true])
  })

  it('finds the three repeated URLs in a list of nine', async () => {
    const hosts = ['csdn.net', 'baidu.com', 'google.com.hk', 'cnblogs.com', 'zhihu.com']
    const repeated = ['shiyanlou.com', 'google.com.hk', 'shiyanlou.com', 'csdn.net']
    const urls = [...hosts, ...repeated].map((host) => `http://www.${host}/`)
    const fresh = await openSeenSet(allocate(name), 0).addIfNew(urls)
    expect(urls.filter((_, place) => !fresh[place])).toEqual([
      'http://www.google.com.hk/',
      'http://www.shiyanlou.com/',
      'http://www.csdn.net/',
    ])
  })
}

function countsWhatItHolds(name: SeenName): void {
  it('counts the URLs added by all owners, and its fill grows from 0', async () => {
    const memory = allocate(name)
    const [first, second] = [openSeenSet(memory, 3), openSeenSet(memory, 3 + 64)]
    const empty = first.stats()
    await first.addIfNew(['http://a/', 'http://b/'])
    await second.addIfNew(['http://b/', 'http://c/'])
    expect(first.stats()).toEqual(second.stats())
    expect(empty).toMatchObject({ added: 0, falsePositiveRate: 0 })
    expect(first.stats().added).toBe(3)
    expect(empty.fill).toBeLessThan(0.0001)
    expect(first.stats().fill).toBeGreaterThan(empty.fill)
    expect(first.stats().fill).toBeLessThan(0.01)
    expect(first.stats().bytes).toBeGreaterThan(10_000)
  })
}

function outlivesTheProcess(name: SeenName): void {
  it('gives the same answers from a snapshot, and can grow from there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'seen')
    const size = growsAsNeeded(name) ? 5_000 : 25_000
    const [before, after] = [allocate(name, size, folder), allocate(name, size, folder)]
    const urls = Array.from({ length: 16_000 }, (_, index) => `https://example.com/${index}`)
    await openSeenSet(before, 1).addIfNew(urls.slice(0, 9_000))
    const checksum = await writeSnapshot(before, file)
    expect(loadSnapshot(after, file, checksum)).toBe(true)
    const seen = openSeenSet(after, 2)
    expect(seen.stats()).toEqual(openSeenSet(before, 2).stats())
    expect(await seen.has(urls)).toEqual(urls.map((_, index) => index < 9_000))
    await seen.addIfNew(urls)
    expect(seen.stats().added).toBe(16_000)
  })
}

function sharesBetweenThreads(name: SeenName): void {
  it('reports each URL as new to exactly one of four threads', async () => {
    const { claimedTwice, lost, stats, urls } = await torture({
      name,
      threads: 4,
      urls: IN_SOAK ? 10_000 : 4_000,
      window: 16,
    })
    expect(claimedTwice).toBe(0)
    expect(lost).toBeLessThanOrEqual(name.startsWith('bloom') ? urls / 1000 : 0)
    expect(stats.added).toBe(urls - lost)
  })
}
