import { describe, expect, it } from 'vitest'
import { LinkFilter } from '../../../src/fetch-worker/links/link-filter.ts'
import { parseSitemap } from '../../../src/fetch-worker/parse/parse-sitemap.ts'
import { defaultRules } from '../links/default-rules.ts'

const SITE = 'http://127.0.0.1/'
const url = `${SITE}${'x'.repeat(7_900)}/sitemap.xml`
const crawlUrl = {
  ...{ id: 1, url, depth: 0, sameDepthHops: 0, redirects: 0, attempt: 1, failures: 0 },
  ...({ hop: 'sitemap', keepLinks: false } as const),
}

function toolsWith(addSameDepth: (urls: readonly string[]) => number) {
  const rules = defaultRules(SITE)
  const seenCheck = { addSameDepth, addExternal: (urls: readonly string[]) => urls }
  return { filter: new LinkFilter(rules), rules, seenCheck, sitemaps: true, linkGraph: undefined }
}

describe('a sitemap', () => {
  it('yields at most 64 MiB of URLs if they are relative, and reports the others as skipped', async () => {
    let characters = 0
    const tools = toolsWith((urls) => {
      for (const each of urls) characters += each.length
      return urls.length
    })
    const entries = Array.from({ length: 20_000 }, (_, i) => `<url><loc>${i}</loc></url>`)
    const body = Buffer.from(`<urlset>${entries.join('')}`)
    const { fields, skips } = await parseSitemap(crawlUrl, body, tools)

    expect(characters).toBeGreaterThanOrEqual(2 ** 26)
    expect(characters).toBeLessThan(2 ** 26 + 8_000)
    expect(fields.links).toBe(20_000)
    expect((fields.discovered ?? 0) + skips.length).toBe(20_000)
    expect(skips.at(-1)).toEqual({ url: '19999', via: url, depth: 0, reason: 'limit' })
  })
})
