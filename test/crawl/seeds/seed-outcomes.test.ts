import { describe, expect, it } from 'vitest'
import { CrawlScope } from '../../../src/crawl/seeds/crawl-scope.ts'
import { SeedOutcomes } from '../../../src/crawl/seeds/seed-outcomes.ts'
import { SeedTracker } from '../../../src/crawl/seeds/seed-tracker.ts'
import { silentLogger } from '../../../src/logger.ts'
import type { Visited } from '../../../src/messages/outcome.ts'
import type { CrawlUrl } from '../../../src/records/crawl-url.ts'
import type { Skip } from '../../../src/records/skip.ts'
import { parseSeed } from '../../../src/url/seed.ts'

function open(seed: string, exclude: readonly string[] = []) {
  const seeds = new SeedTracker([parseSeed(seed)], true)
  const scope = new CrawlScope({ scope: 'host', include: [], exclude }, seeds.urls)
  const skipped: Skip[] = []
  const added: string[] = []
  const widened: string[] = []
  const frontier = { addSeed: (url: string) => void added.push(url) }
  const skips = { add: (skip: Skip) => void skipped.push(skip) }
  const known = new Set<string>()
  const memory = {
    addNew: (urls: readonly string[]) => urls.filter((url) => known.size < known.add(url).size),
  }
  const secrets = { auth: undefined, authFile: undefined, cert: undefined, headers: {} }
  const config = { ...secrets, external: false }
  const parts = { config, frontier, logger: silentLogger(), memory, scope, seeds, skips }
  const outcomes = new SeedOutcomes(parts, (url) => widened.push(url))
  return { outcomes, seeds, scope, skipped, added, widened }
}

function crawlUrl(url: string, hop: CrawlUrl['hop']): CrawlUrl {
  return {
    ...{ id: 1, url, depth: 0, sameDepthHops: 0, redirects: 0, hop },
    ...{ attempt: 1, failures: 0, keepLinks: false },
  }
}

function leaving(leaves: string): Visited {
  return {
    ...{ type: 'visited', id: 1, fields: { status: 302 }, status: 302, bytes: 0, ms: 1 },
    ...{ discovered: [], nearer: [], sameDepth: [], skipped: [], leaves },
  }
}

const visit = (status: number) => ({ status, fields: { status } })

describe('a redirect out of the scope', () => {
  it('widens the scope if a seed sent it, or a URL that a seed redirected to', () => {
    const { outcomes, seeds, scope, widened } = open('http://a.test/')
    const seed = crawlUrl('http://a.test/', 'seed')
    const beside = outcomes.followRedirect(seed, leaving('http://b.test/'))
    expect(beside.sameDepth).toEqual([{ hop: 'redirect', urls: ['http://b.test/'] }])
    expect(beside.fields).toEqual({ status: 302, discovered: 1 })
    outcomes.followRedirect(crawlUrl('http://b.test/', 'redirect'), leaving('http://c.test/'))
    expect(widened).toEqual(['http://b.test/', 'http://c.test/'])
    expect([scope.contains('http://c.test/x'), seeds.has('http://c.test/')]).toEqual([true, true])
  })

  it('is skipped if another page sent it, or its target is excluded', () => {
    const { outcomes, skipped, widened } = open('http://a.test/', ['/private/'])
    const page = crawlUrl('http://a.test/page', 'link')
    expect(outcomes.followRedirect(page, leaving('http://b.test/')).sameDepth).toEqual([])
    const seed = crawlUrl('http://a.test/', 'seed')
    const excluded = outcomes.followRedirect(seed, leaving('http://b.test/private/'))
    expect(excluded.sameDepth).toEqual([])
    expect(skipped.map(({ reason }) => reason)).toEqual(['out-of-scope', 'excluded'])
    expect(widened).toEqual([])
  })
})

describe('a seed that fails', () => {
  it('is recorded with its 4xx or 5xx status if another seed got a different one', () => {
    const { outcomes, seeds } = open('http://a.test/')
    outcomes.visited(crawlUrl('http://a.test/', 'seed'), visit(302))
    seeds.countAsSeed('http://a.test/gone')
    outcomes.visited(crawlUrl('http://a.test/gone', 'redirect'), visit(404))
    outcomes.visited(crawlUrl('http://a.test/link', 'link'), visit(500))
    expect(seeds.errors).toEqual([])
    seeds.countAsSeed('http://b.test/')
    outcomes.visited(crawlUrl('http://b.test/', 'seed'), visit(200))
    expect(seeds.errors).toEqual([{ url: 'http://a.test/gone', reason: '404 Not Found' }])
    expect(seeds.failures).toEqual([])
  })

  it('is tried once more with the other scheme if it was typed without one', () => {
    const { outcomes, seeds, added } = open('a.test')
    const [url = ''] = seeds.urls
    expect(outcomes.failed(crawlUrl(url, 'seed'), 'refused')).toBe(true)
    const [fallback = ''] = added
    expect([url, fallback]).toEqual(['https://a.test/', 'http://a.test/'])
    expect(outcomes.failed(crawlUrl(fallback, 'seed'), 'refused')).toBe(false)
    expect(seeds.failures).toEqual([{ url: fallback, reason: 'refused' }])
  })

  it('has the links of its fallback in the scope, even if port 80 was typed', () => {
    const { outcomes, added, scope, widened } = open('a.test:80')
    outcomes.failed(crawlUrl('https://a.test:80/', 'seed'), 'refused')
    expect(added).toEqual(['http://a.test/'])
    expect(scope.contains('http://a.test/x')).toBe(true)
    expect(widened).toEqual(['http://a.test/'])
  })

  it('is recorded, unlike any other URL', () => {
    const { outcomes, seeds } = open('http://a.test/')
    expect(outcomes.failed(crawlUrl('http://a.test/x', 'link'), 'refused')).toBe(false)
    expect(seeds.failures).toEqual([])
    expect(outcomes.failed(crawlUrl('http://a.test/', 'seed'), 'refused')).toBe(false)
    expect(seeds.failures).toEqual([{ url: 'http://a.test/', reason: 'refused' }])
  })
})
