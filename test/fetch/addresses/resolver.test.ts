import { describe, expect, it } from 'vitest'
import { cachingResolver } from '../../../src/fetch/addresses/resolver.ts'

const bounds = { size: 3, ttl: 1_000, maxTtl: 5_000, negativeTtl: 100 }

/** Returns a resolver that records its queries. Names in `codes` fail. */
function counting(codes: Readonly<Record<string, string>> = {}, ttls: readonly number[] = []) {
  const requested: string[] = []
  const clock = { now: 0 }
  const resolve = cachingResolver(
    async (hostname) => {
      requested.push(hostname)
      const code = codes[hostname]
      if (code !== undefined) throw Object.assign(new Error(code), { code })
      const address = { address: `10.0.0.${requested.length}`, family: 4 }
      return ttls.length === 0 ? [address] : ttls.map((ttl) => ({ ...address, ttl }))
    },
    bounds,
    () => clock.now,
  )
  return { requested, clock, resolve }
}

describe('cachingResolver', () => {
  it('makes one lookup for simultaneous calls', async () => {
    const { requested, resolve } = counting()
    const answers = await Promise.all([resolve('a'), resolve('a'), resolve('a')])
    expect(new Set(answers).size).toBe(1)
    expect(requested).toEqual(['a'])
  })

  it('caches addresses until they expire', async () => {
    const { requested, clock, resolve } = counting()
    await resolve('a')
    clock.now = 999
    expect(await resolve('a')).toEqual([{ address: '10.0.0.1', family: 4 }])
    clock.now = 1_000
    expect(await resolve('a')).toEqual([{ address: '10.0.0.2', family: 4 }])
    expect(requested).toEqual(['a', 'a'])
  })

  it.each([
    ['for the shortest of their times to live', [3, 4], 3_000],
    ['for at least a minute', [0, 4], 1_000],
    ['for at most an hour', [86_400], 5_000],
  ])('caches addresses %s', async (_, ttls, ms) => {
    const { requested, clock, resolve } = counting({}, ttls)
    await resolve('a')
    clock.now = ms - 1
    await resolve('a')
    expect(requested).toEqual(['a'])
    clock.now = ms
    await resolve('a')
    expect(requested).toEqual(['a', 'a'])
  })

  it("caches for a short time that a name doesn't exist", async () => {
    const { requested, clock, resolve } = counting({ a: 'ENOTFOUND' })
    await expect(resolve('a')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    clock.now = 99
    await expect(resolve('a')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    expect(requested).toHaveLength(1)
    clock.now = 100
    await expect(resolve('a')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    expect(requested).toHaveLength(2)
  })

  it('looks a name up again if the resolver itself failed', async () => {
    const { requested, resolve } = counting({ a: 'EAI_AGAIN' })
    await expect(resolve('a')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
    await expect(resolve('a')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
    expect(requested).toHaveLength(2)
  })

  it('drops the oldest name when it is full', async () => {
    const { requested, resolve } = counting()
    for (const name of ['a', 'b', 'c', 'd', 'b', 'c', 'd', 'a']) await resolve(name)
    expect(requested).toEqual(['a', 'b', 'c', 'd', 'a'])
  })
})
