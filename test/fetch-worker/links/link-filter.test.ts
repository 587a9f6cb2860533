import { describe, expect, it } from 'vitest'
import { LinkFilter } from '../../../src/fetch-worker/links/link-filter.ts'
import { defaultRules } from './default-rules.ts'

const SITE = 'http://127.0.0.1/'
const filter = new LinkFilter(defaultRules(SITE))
const from = {
  ...{ id: 1, url: SITE, depth: 0, sameDepthHops: 0, redirects: 0, attempt: 1, failures: 0 },
  ...({ hop: 'seed', keepLinks: false } as const),
}

describe('LinkFilter', () => {
  it('resolves links up to 16 MiB of URLs, even if the hrefs are short', () => {
    const links = Array.from({ length: 3_000 }, (_, index) => ({
      href: `${index}`,
    }))
    const base = { baseHref: `${SITE}${'x'.repeat(7_900)}/` }
    const { urls, skips } = filter.filter(links, from, base, 1)
    const characters = urls.reduce((sum, url) => sum + url.length, 0)
    expect(characters).toBeGreaterThanOrEqual(2 ** 24)
    expect(characters).toBeLessThan(2 ** 24 + 8_000)
    expect(urls.length + skips.length).toBe(links.length)
    expect(skips.at(-1)).toEqual({ url: '2999', via: SITE, depth: 1, reason: 'limit' })
  })
})
