import { describe, expect, it } from 'vitest'
import { CrawlScope } from '../../../src/crawl/seeds/crawl-scope.ts'
import { growth, SLACK } from '../../support/growth.ts'

const RULES = { scope: 'host', include: [], exclude: [] } as const

describe('CrawlScope', () => {
  it('calls origins foreign that are out of scope and belong to no seed or redirect of a seed', () => {
    const rules = { ...RULES, include: ['/kept/'] }
    const scope = new CrawlScope(rules, ['https://a.test/kept/'])
    expect(scope.widen('https://b.test/kept/')).toBe(true)
    expect(scope.widen('https://c.test/')).toBe(false)
    const hosts = ['a', 'b', 'c', 'd']
    expect(hosts.filter((host) => scope.isForeign(`https://${host}.test`))).toEqual(['d'])
  })

  it('decides on an origin in time that does not grow with the number of seeds', async () => {
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
