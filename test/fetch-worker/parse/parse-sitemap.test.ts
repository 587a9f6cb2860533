import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LinkFilter } from '../../../src/fetch-worker/links/link-filter.ts'
import { parseSitemap } from '../../../src/fetch-worker/parse/parse-sitemap.ts'
import type { ReadUrls, SitemapParts } from '../../../src/fetch-worker/sitemap-parts.ts'
import { defaultRules } from '../links/default-rules.ts'

const SITE = 'http://127.0.0.1/'
const url = `${SITE}${'x'.repeat(7_900)}/sitemap.xml`
type Parts = Pick<SitemapParts, 'report'>

const crawlUrl = {
  ...{ id: 1, url, depth: 0, sameDepthHops: 0, redirects: 0, attempt: 1, failures: 0 },
  ...({ hop: 'sitemap', keepLinks: false } as const),
}

function toolsWith(addSameDepth: (urls: readonly string[]) => number, sitemapParts?: Parts) {
  const rules = defaultRules(SITE)
  const seenCheck = { addSameDepth, addExternal: (urls: readonly string[]) => urls }
  return {
    filter: new LinkFilter(rules),
    rules,
    seenCheck,
    sitemaps: true,
    sitemapSince: undefined,
    linkGraph: undefined,
    sitemapParts,
  }
}

const entriesFor = (urls: readonly string[]) =>
  Buffer.from(`<urlset>${urls.map((each) => `<url><loc>${each}</loc></url>`).join('')}`)

const numbered = (count: number, base = SITE) =>
  Array.from({ length: count }, (_, index) => `${base}${index}`)

describe('a sitemap', () => {
  it('yields at most 64 MiB of URLs if they are relative, and reports the others as skipped', async () => {
    let characters = 0
    const tools = toolsWith((urls) => {
      for (const each of urls) characters += each.length
      return urls.length
    })
    const body = entriesFor(numbered(20_000, ''))
    const { fields, skips } = await parseSitemap(crawlUrl, body, tools)

    expect(characters).toBeGreaterThanOrEqual(2 ** 26)
    expect(characters).toBeLessThan(2 ** 26 + 8_000)
    expect(fields.links).toBe(20_000)
    expect((fields.discovered ?? 0) + skips.length).toBe(20_000)
    expect(skips.at(-1)).toEqual({ url: '19999', via: url, depth: 0, reason: 'limit' })
  })

  it('has entries that were last modified before --sitemap-since, which are skipped', async () => {
    const entry = (path: string, modified: string) =>
      `<url><loc>${path}</loc><lastmod>${modified}</lastmod></url>`
    const added: string[] = []
    const tools = toolsWith((urls) => added.push(...urls))
    const body = Buffer.from(
      `<urlset>${entry('/new', '2026-11-30')}${entry('/old', '2026-11-29')}<url><loc>/undated</loc></url>
        ${entry('http://elsewhere.test/', '2020')}`,
    )
    const since = { ...tools, sitemapSince: Date.parse('2026-11-30T12:00Z') }
    const from = { ...crawlUrl, url: `${SITE}sitemap.xml` }
    const { fields, skips } = await parseSitemap(from, body, since)
    expect(added).toEqual([`${SITE}new`, `${SITE}undated`])
    expect(fields.links).toBe(4)
    expect(skips.map(({ url, reason }) => [url, reason])).toEqual([
      ['http://elsewhere.test/', 'out-of-scope'],
      [`${SITE}old`, 'unmodified'],
    ])
  })

  describe('with many URLs', () => {
    const short = { ...crawlUrl, url: `${SITE}sitemap.xml` }
    const urlsIn = ({ sameDepth }: Pick<ReadUrls, 'sameDepth'>) =>
      sameDepth.flatMap(({ hop, urls }) => (hop === 'sitemap' ? urls : []))

    it('is reported in parts, each of which waits for the last one', async () => {
      const parts: ReadUrls[] = []
      let isWaiting = false
      const report = async (_: unknown, part: ReadUrls) => {
        expect(isWaiting).toBe(false)
        isWaiting = true
        parts.push(part)
        await setTimeout(5)
        isWaiting = false
      }
      const urls = numbered(45_000)
      const tools = toolsWith((added) => added.length, { report })
      const { fields, findings } = await parseSitemap(short, entriesFor(urls), tools)
      expect(parts.length).toBe(4)
      expect([...parts, findings].flatMap(urlsIn)).toEqual(urls)
      expect(fields).toEqual({ links: 45_000, discovered: 45_000 })
      expect(findings.linkCount).toBe(45_000)
    })

    it('has its skipped URLs in the parts, too, and an example if all are outside the scope', async () => {
      const parts: ReadUrls[] = []
      const report = async (_: unknown, part: ReadUrls) => void parts.push(part)
      const urls = numbered(25_000, 'http://elsewhere.test/')
      const tools = toolsWith((added) => added.length, { report })
      const { findings, skips } = await parseSitemap(short, entriesFor(urls), tools)
      const skipped = [...parts.flatMap((part) => part.skips), ...skips]
      expect(parts.length).toBe(2)
      expect(skipped.map((skip) => skip.url)).toEqual(urls)
      expect(findings.foreignExample).toBe(urls[0])

      const mixed = await parseSitemap(short, entriesFor([`${SITE}a`, ...urls]), tools)
      expect(mixed.findings.foreignExample).toBeUndefined()
    })

    it('is not split if the frontier keeps its links', async () => {
      const report = () => Promise.reject(new Error('a part was reported'))
      const urls = numbered(25_000)
      const tools = toolsWith((added) => added.length, { report })
      const kept = { ...short, keepLinks: true }
      const { findings } = await parseSitemap(kept, entriesFor(urls), tools)
      expect(urlsIn(findings)).toEqual(urls)
    })
  })
})
