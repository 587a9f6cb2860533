import { describe, expect, it } from 'vitest'
import { crawlSite, serveSite } from '../support/crawl-site.ts'

const links = ['/p?b=1&a=2', '/p?a=2&b=1', '/p?a=2&b=1&utm_source=x', '/p?a=2&b=1&utm_source=x']

describe('--canonicalize', () => {
  it('merges URLs by the given rules, and counts them by rule', async () => {
    const site = await serveSite({
      '/': links.map((href) => `<a href="${href}">x</a>`).join(''),
      '/p?a=2&b=1': 'x',
    })
    const { byPath, summary } = await crawlSite(site, {
      canonicalize: ['strip-tracking', 'sort-query'],
    })
    expect([...byPath.keys()]).toEqual(['/', '/p?a=2&b=1'])
    expect(summary.merged).toEqual({ 'sort-query': 1, 'strip-tracking': 1 })
  })

  it.each([
    ['strip-trailing-slash', '/a/', '/a'],
    ['strip-index', '/a/index.html', '/a/'],
    ['strip-session', '/a;jsessionid=1?PHPSESSID=2', '/a'],
    ['lowercase-path', '/A/B%C3', '/a/b%C3'],
  ] as const)('%s turns %s into %s', async (rule, written, fetched) => {
    const site = await serveSite({ '/': `<a href="${written}">x</a>` })
    const { byPath, summary } = await crawlSite(site, { canonicalize: [rule] })
    expect([...byPath.keys()]).toEqual(['/', fetched])
    expect(summary.merged).toEqual({ [rule]: 1 })
  })

  it('counts each URL once, by all rules that changed it, even if many pages link to it', async () => {
    const page = '<a href="/1">1</a><a href="/2">2</a><a href="/p?b=1&utm_id=3&a=2">3</a>'
    const site = await serveSite({ '/': page, '/1': page, '/2': page })
    const canonicalize = ['strip-tracking' as const, 'sort-query' as const]
    const { summary } = await crawlSite(site, { canonicalize, workers: 4, concurrency: 1 })
    expect(summary.merged).toEqual({ 'sort-query': 1, 'strip-tracking': 1 })
  })

  it('counts the URLs that --strip-query changed, too', async () => {
    const site = await serveSite({ '/': '<a href="/p?a=1">1</a><a href="/p?a=2">2</a>', '/p': 'x' })
    const { summary } = await crawlSite(site, { stripQuery: true })
    expect(summary.merged).toEqual({ 'strip-query': 2 })
  })

  it('applies to links, redirects and sitemaps, and not to seeds', async () => {
    const site = await serveSite({
      '/?utm_id=1': '<a href="/go">x</a>',
      '/go': (_, response) => response.writeHead(302, { location: '/there?utm_id=2' }).end(),
      '/there': 'x',
      '/sitemap.xml': (_, response) => {
        response.end('<urlset><url><loc>/listed?utm_id=3</loc></url></urlset>')
      },
    })
    const config = { seeds: [`${site.url}/?utm_id=1`], sitemaps: true }
    const { byPath } = await crawlSite(site, { ...config, canonicalize: ['strip-tracking'] })
    expect([...byPath.keys()].sort()).toEqual(
      ['/?utm_id=1', '/go', '/listed', '/sitemap.xml', '/there'].sort(),
    )
    // The record has the URL that the server sent.
    expect(byPath.get('/go')).toMatchObject({ redirectsTo: `${site.url}/there?utm_id=2` })
  })

  it('merges nothing without rules', async () => {
    const site = await serveSite({ '/': links.map((href) => `<a href="${href}">x</a>`).join('') })
    const { byPath, summary } = await crawlSite(site)
    expect([...byPath.keys()].sort()).toEqual(['/', ...new Set(links)].sort())
    expect(summary.merged).toEqual({})
  })
})
