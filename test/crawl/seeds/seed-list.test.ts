import { describe, expect, it } from 'vitest'
import { SeedList } from '../../../src/crawl/seeds/seed-list.ts'
import { parseSeed } from '../../../src/url/seed.ts'

describe('SeedList', () => {
  it('names the hosts of all that may be tried, and who may see which password', () => {
    const typed = ['localhost:80', 'https://me:pw@example.com/a', 'http://example.com/b']
    const { setup } = new SeedList(typed.map(parseSeed))
    expect(setup.seedHosts.hosts).toEqual(['localhost:80', 'localhost', 'example.com'])
    expect(setup.authorizations).toEqual({ 'https://example.com': 'Basic bWU6cHc=' })
  })
})
