import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AddressCache } from '../../../src/crawl/dns/address-cache.ts'
import { MAX_LOOKUPS } from '../../../src/runtime/dns-lookup.ts'

describe('AddressCache', () => {
  it('returns the address itself for an address', async () => {
    const cache = new AddressCache(100, () => Promise.reject(new Error('looked up')))
    expect(await cache.find('192.0.2.1:8080')).toBe('192.0.2.1')
    expect(await cache.find('[2001:db8::1]:8080')).toBe('2001:db8::1')
    expect(await cache.find('[::1]')).toBe('::1')
  })

  it('returns the same one of several addresses, in any order of the reply', async () => {
    const answers = [
      ['192.0.2.9', '192.0.2.1'],
      ['192.0.2.1', '192.0.2.9'],
    ]
    const cache = new AddressCache(100, async () => answers.pop() ?? [])
    expect(await cache.find('a.test')).toBe('192.0.2.1')
    expect(await cache.find('b.test')).toBe('192.0.2.1')
  })

  it('looks each name up once for all ports, and a few names at a time', async () => {
    const lookups: string[] = []
    let running = 0
    let most = 0
    const cache = new AddressCache(1_000, async (name) => {
      lookups.push(name)
      most = Math.max(most, ++running)
      await sleep(2)
      running--
      return ['192.0.2.1']
    })
    const names = Array.from({ length: 200 }, (_, index) => `${index}.test`)
    await Promise.all(
      [...names, ...names.map((name) => `${name}:81`)].map((key) => cache.find(key)),
    )
    expect(lookups.toSorted()).toEqual(names.toSorted())
    expect(most).toBe(MAX_LOOKUPS)
  })

  it('returns no address if there is none, or if the lookup takes too long', async () => {
    const cache = new AddressCache(20, (name) =>
      name === 'late.test' ? new Promise(() => {}) : Promise.reject(new Error('ENOTFOUND')),
    )
    const keepAlive = setTimeout(() => {}, 5_000)
    expect(await cache.find('late.test')).toBeUndefined()
    expect(await cache.find('missing.test')).toBeUndefined()
    clearTimeout(keepAlive)
  })

  it('limits the lookups at a time, even if new ones arrive as others end', async () => {
    let [running, most, count] = [0, 0, 0]
    const ends: (() => void)[] = []
    const cache = new AddressCache(1_000, async () => {
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running--
      return ['192.0.2.1']
    })
    for (; count < 2 * MAX_LOOKUPS; count++) void cache.find(`${count}.test`)
    for (let round = 0; round < 10; round++) {
      for (const end of ends.splice(0)) end()
      for (let turn = 0; turn < 10; turn++) {
        await null
        void cache.find(`${count++}.test`)
      }
      await new Promise(setImmediate)
    }
    expect(most).toBe(MAX_LOOKUPS)
  })

  it('looks a name without an address up again', async () => {
    const answers = [Promise.reject(new Error('SERVFAIL')), Promise.resolve([])]
    const cache = new AddressCache(1_000, () => answers.shift() ?? Promise.resolve(['192.0.2.1']))
    expect(await cache.find('a.test')).toBeUndefined()
    expect(await cache.find('a.test:81')).toBeUndefined()
    expect(await cache.find('a.test:82')).toBe('192.0.2.1')
  })

  it('looks nothing up after it was closed', async () => {
    let lookups = 0
    const cache = new AddressCache(1_000, async () => {
      lookups++
      return ['192.0.2.1']
    })
    const found = Array.from({ length: 200 }, (_, index) => cache.find(`${index}.test`))
    cache.close()
    await Promise.all(found.slice(0, MAX_LOOKUPS))
    void cache.find('late.test')
    await new Promise(setImmediate)
    expect(lookups).toBe(MAX_LOOKUPS)
  })
})
