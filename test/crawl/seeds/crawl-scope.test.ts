import { describe, expect, it } from 'vitest'
import { CrawlScope } from '../../../src/crawl/seeds/crawl-scope.ts'
import { growth, SLACK } from '../../support/growth.ts'

const RULES = { scope: 'host', include: [], exclude: [] } as const

describe('CrawlScope', () => {
  it("takes an origin for foreign that is neither a seed's nor where one redirects, nor in the scope", () => {
    const rules = { ...RULES, include: ['/kept/'] }
    const scope = new CrawlScope(rules, ['https://a.test/kept/'])
    expect(scope.widen('https://b.test/kept/')).toBe(true)
    expect(scope.widen('https://c.test/')).toBe(false)
    const hosts = ['a', 'b', 'c', 'd']
    expect(hosts.filter((host) => scope.isForeign(`https://${host}.test`))).toEqual(['d'])
  })

  it('asks itself about an origin in no time that grows with the seeds', async () => {
    const ask = (size: number) => {
      const hosts = Array.from({ length: size }, (_, host) => `host${host}.test`)
      const scope = new CrawlScope(
        RULES,
        hosts.map((host) => `https://${host}/`),
      )
      for (const host of hosts) scope.widen(`https://www.${host}/`)
      for (const host of hosts) scope.isForeign(`https://www.${host}`)
    }
    expect(await growth(ask, 200)).toBeLessThan(SLACK)
  })
})
