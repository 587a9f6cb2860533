import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { SitemapParts } from '../../src/fetch-worker/sitemap-parts.ts'
import { ClaimLog } from '../../src/messages/claim-log.ts'
import type { CrawlUrl } from '../../src/records/crawl-url.ts'

const page: CrawlUrl = {
  ...{ id: 7, url: 'http://a.test/sitemap.xml', depth: 0, sameDepthHops: 0, redirects: 0 },
  ...{ attempt: 1, failures: 0, hop: 'sitemap', keepLinks: false },
}
const part = {
  sameDepth: [{ hop: 'sitemap', urls: ['http://a.test/1'] }],
  ...{ skips: [], rewrites: [] },
} as const

/** Returns the parts of a worker, and a list of what it sends, in order. */
function openParts() {
  const sent: unknown[] = []
  const claims = new ClaimLog(ClaimLog.allocate(), ({ pages }) => sent.push(['claims', ...pages]))
  const skips = { count: () => ({ skipped: [], counts: { 'skip:scheme': 2 } }) }
  const parts = new SitemapParts(skips, claims, (message) => sent.push(message))
  return { claims, parts, sent }
}

it('a part follows its claims, and has the counted skips', () => {
  const { claims, parts, sent } = openParts()
  claims.add(page.id, 'sitemap', 'http://a.test/1')
  void parts.report(page, part)
  const { sameDepth } = part
  const counted = { skipped: [], counts: { 'skip:scheme': 2 } }
  expect(sent).toEqual([
    ['claims', page.id],
    { type: 'sitemap-part', id: page.id, sameDepth, ...counted },
  ])
})

it('a part waits until its URLs are added, but not for other sitemaps', async () => {
  const { parts } = openParts()
  let isAdded = false
  const added = parts.report(page, part).then(() => {
    isAdded = true
  })
  parts.added(8)
  await setImmediate()
  expect(isAdded).toBe(false)
  parts.added(page.id)
  await added
  expect(isAdded).toBe(true)
})
