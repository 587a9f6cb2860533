import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startsAsSitemap } from '../../src/fetch-worker/parse/sitemap/looks-like-sitemap.ts'
import { callCrawl } from '../support/call-cli.ts'
import { crawlSite, serveSite } from '../support/crawl-site.ts'
import { growth, SLACK } from '../support/growth.ts'
import { runAndLog } from './run-and-log.ts'

type Send = (request: IncomingMessage, response: ServerResponse) => void

const urlset = (...urls: readonly string[]) =>
  `<?xml version="1.0"?>\n<!-- made by hand -->\n<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
const send =
  (type: string | undefined, body: string | Buffer): Send =>
  (_, response) =>
    response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body)
const moved =
  (location: string): Send =>
  (_, response) =>
    response.writeHead(301, { location }).end()

/** Serves a site with a sitemap at /map, to which no page links, and other responses. */
function serveMap(map: Send, others: Record<string, Send> = {}) {
  return serveSite({ '/map': map, '/hidden': '<a href="/deeper">x</a>', '/deeper': 'x', ...others })
}

const map = urlset('/hidden')
const index = '<sitemapindex><sitemap><loc>/part</loc></sitemap></sitemapindex>'
const rss = '<rss><channel><item><link>/hidden</link></item></channel></rss>'

describe('a sitemap as a seed is read with --sitemaps', () => {
  const FORMS: readonly [form: string, seed: Send, others?: Record<string, Send>][] = [
    ['as XML', send('application/xml', map)],
    ['as a feed', send('application/rss+xml', rss)],
    ['compressed', send('application/x-gzip', gzipSync(map))],
    ['of an unknown type', send('application/octet-stream', map)],
    ['without a type', send(undefined, map)],
    ['taken for HTML', send('text/html', map)],
    ['taken for HTML in UTF-8 with a BOM', send('text/html', `\ufeff${map}`)],
    ['as an index', send('text/xml', index), { '/part': send('text/xml', map) }],
    [
      'as an index of redirects',
      send('text/xml', index),
      { '/part': moved('/p'), '/p': send('text/xml', map) },
    ],
    ['that redirects', moved('/there'), { '/there': send('text/xml', map) }],
  ]

  it('in each of its formats', async () => {
    const sites = await Promise.all(FORMS.map(([, seed, others]) => serveMap(seed, others)))
    const { visits } = await runAndLog({
      ...{ seeds: sites.map(({ url }) => `${url}/map`), workers: 1, sitemaps: true },
    })
    const found = new Map(visits.map((visit) => [visit.url, visit]))
    for (const [index, [form]] of FORMS.entries()) {
      const on = (path: string) => found.get(`${sites[index]?.url}${path}`)
      expect(on('/map'), form).toMatchObject({ hop: 'seed', depth: 0 })
      expect(on('/hidden'), form).toMatchObject({ hop: 'sitemap', depth: 0 })
      expect(on('/deeper'), form).toMatchObject({ hop: 'link', depth: 1 })
    }
  })

  it('as plain text', async () => {
    const site = await serveMap((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end(`# all of it\r\n\n#and more\n${site.url}/hidden\r\n`)
    })
    const { byPath } = await crawlSite(site, { sitemaps: true, seeds: [`${site.url}/map`] })
    expect(byPath.get('/map')).toMatchObject({ links: 1, discovered: 1 })
    expect(byPath.get('/hidden')).toMatchObject({ hop: 'sitemap', via: `${site.url}/map` })
  })

  it('next to a seed that is a page, at the usual place of sitemaps', async () => {
    const sitemap = { '/sitemap.xml': send('text/xml', map), '/': send('text/html', 'x') }
    const site = await serveMap(moved('/'), sitemap)
    const seeds = [`${site.url}/`, `${site.url}/sitemap.xml`]
    const { byPath } = await crawlSite(site, { sitemaps: true, seeds, depth: 0 })
    expect([...byPath.keys()].sort()).toEqual(['/', '/hidden', '/sitemap.xml'])
  })

  it('beyond --max-body, which applies to pages', async () => {
    const padded = `${map.slice(0, -'</urlset>'.length)}${' '.repeat(400_000)}</urlset>`
    const twice = padded.replace('</urlset>', '<url><loc>/deeper</loc></url></urlset>')
    const site = await serveMap(send('text/xml', twice))
    const config = { sitemaps: true, maxBody: '300KiB', depth: 0 }
    const { byPath } = await crawlSite(site, { ...config, seeds: [`${site.url}/map`] })
    expect(byPath.get('/map')).toMatchObject({ links: 2 })
    expect(byPath.get('/map')).not.toHaveProperty('truncated')
  })
})

describe('with --sitemaps', () => {
  it.each<[string, string, string]>([
    ['a text', 'text/plain', 'See\nhttp://127.0.0.1/hidden'],
    ['XML of another kind', 'text/xml', '<svg><url><loc>/hidden</loc></url></svg>'],
    ['an image', 'image/png', 'http://127.0.0.1/hidden'],
  ])('a seed that is %s is not read as a sitemap', async (_, type, body) => {
    const site = await serveMap(send(type, body))
    const { byPath } = await crawlSite(site, { sitemaps: true, seeds: [`${site.url}/map`] })
    expect([...byPath.keys()].sort()).toEqual(['/map', '/sitemap.xml'])
    expect(byPath.get('/map')).not.toHaveProperty('links')
  })

  it('a seed that is XHTML is read as a page', async () => {
    const page = '<?xml version="1.0"?><html xmlns="x"><a href="/hidden">urlset</a></html>'
    const site = await serveMap(send('application/xhtml+xml', page))
    const { byPath } = await crawlSite(site, { sitemaps: true, seeds: [`${site.url}/map`] })
    expect(byPath.get('/hidden')).toMatchObject({ hop: 'link', depth: 1 })
  })

  it('a page listed by a sitemap is truncated at --max-body like any other', async () => {
    const long = send('text/html', `<a href="/deeper">${' '.repeat(400_000)}`)
    const site = await serveMap(send('text/xml', map), { '/hidden': long })
    const config = { sitemaps: true, maxBody: '300KiB' }
    const { byPath } = await crawlSite(site, { ...config, seeds: [`${site.url}/map`] })
    expect(byPath.get('/hidden')).toMatchObject({ truncated: true, bytes: 300 * 1_024 })
  })

  it('a sitemap is read if the usual place redirects to it', async () => {
    const others = {
      '/sitemap.xml': moved('/sitemap_index.xml'),
      '/sitemap_index.xml': send('text/xml', index),
    }
    const site = await serveMap(moved('/'), { ...others, '/part': send('text/xml', map) })
    const { byPath } = await crawlSite(site, { sitemaps: true, depth: 0 })
    expect(byPath.get('/hidden')).toMatchObject({ hop: 'sitemap', depth: 0 })
  })
})

it('without --sitemaps, sitemaps as seeds are not read, with one warning', async () => {
  const site = await serveMap(send('text/xml', map), {
    '/map.xml': send('text/xml', map),
    '/sitemap.txt': send('text/plain', 'http://a.test/'),
    '/feed': send('text/html', rss),
    '/page.xml': send('text/xml', '<svg/>'),
  })
  const seeds = ['/map.xml', '/sitemap.txt', '/feed', '/page.xml'].map((path) => site.url + path)
  const run = await callCrawl([...seeds, '-c', '1', '--log-level', 'warn'])
  expect(run.visits.map(({ url }) => url).sort()).toEqual(seeds.sort())
  const [line, ...others] = run.stderr.trimEnd().split('\n')
  expect(others).toEqual([])
  const { url, msg } = JSON.parse(line ?? '')
  expect(seeds.slice(0, 3)).toContain(url)
  expect(msg).toBe(`${url} is a sitemap: --sitemaps crawls what it lists, too`)
})

it('without --sitemaps, one line of the log reports that robots.txt lists some', async () => {
  const robots = send('text/plain', 'Sitemap: /map.xml')
  const site = await serveMap(send('text/xml', map), {
    '/robots.txt': robots,
    '/': send('text/html', ''),
  })
  const url = `${site.url}/`
  const without = await callCrawl([url])
  const tells = (log: string) => log.split('\n').filter((line) => line.includes('names a sitemap'))
  expect(tells(without.stderr)).toHaveLength(1)
  expect(without.stderr).toContain(`${site.url}/robots.txt names a sitemap: --sitemaps reads it`)
  const withSitemaps = await callCrawl([url, '--sitemaps'])
  expect(tells(withSitemaps.stderr)).toEqual([])
})

it('the root of a sitemap is searched for in linear time', async () => {
  const read = (size: number) => startsAsSitemap(Buffer.from('<!-- -->'.repeat(size)))
  expect(await growth(read, 16)).toBeLessThan(SLACK)
})

describe('a seed that is a sitemap by its file name', () => {
  const robots = (_: unknown, response: ServerResponse) =>
    response.writeHead(200).end('Sitemap: /sitemap-all.xml')
  const site = () =>
    serveSite({
      '/robots.txt': robots,
      ...{ '/sitemap-all.xml': send('text/xml', urlset('/everything')), '/everything': 'x' },
      ...{ '/sitemap-news.xml': send('text/xml', urlset('/news')), '/news': 'x', '/': 'x' },
      '/sitemap.html': 'x',
    })
  const visited = async (url: string, ...seeds: readonly string[]) => {
    const all = seeds.map((path) => url + path)
    const { visits } = await callCrawl([...all, '--sitemaps', '-d', '0'])
    return visits.map((visit) => visit.url.slice(url.length)).toSorted()
  }

  it('is the only sitemap of its site that is read', async () => {
    const { url } = await site()
    expect(await visited(url, '/sitemap-news.xml')).toEqual(['/news', '/sitemap-news.xml'])
  })

  it("doesn't keep other sitemaps from being read if a seed is a page", async () => {
    const { url } = await site()
    const others = ['/everything', '/sitemap-all.xml']
    expect(await visited(url, '/sitemap-news.xml', '/')).toEqual([
      ...['/', '/everything', '/news', '/sitemap-all.xml', '/sitemap-news.xml'],
    ])
    expect(await visited(url, '/sitemap.html')).toEqual([...others, '/sitemap.html'])
  })
})
