import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { crawlSite, serveSite } from '../support/crawl-site.ts'

const urlset = (...urls: readonly string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

describe('--sitemaps', () => {
  it('reads the sitemaps in robots.txt, their children, and the pages of those', async () => {
    const site = await serveSite({
      '/robots.txt': (_, response) => response.end(`Sitemap: ${site.url}/index.xml`),
      '/index.xml': (_, response) =>
        response.end(
          `<sitemapindex><sitemap><loc>${site.url}/a.xml.gz</loc></sitemap></sitemapindex>`,
        ),
      '/a.xml.gz': (_, response) => response.end(gzipSync(urlset(`${site.url}/hidden`))),
      '/hidden': '<a href="/deeper">x</a>',
      '/deeper': 'x',
      '/': 'x',
    })
    const { byPath } = await crawlSite(site, { sitemaps: true })
    const met = [...byPath].map(([path, { depth, hop }]) => [path, depth, hop])
    expect(met.sort()).toEqual([
      ['/', 0, 'seed'],
      ['/a.xml.gz', 0, 'sitemap'],
      ['/deeper', 1, 'link'],
      ['/hidden', 0, 'sitemap'],
      ['/index.xml', 0, 'sitemap'],
    ])
    expect(byPath.get('/a.xml.gz')).toMatchObject({ links: 1, discovered: 1 })
  })

  it('tries the usual place if robots.txt lists none, and stays in scope', async () => {
    const site = await serveSite({
      '/sitemap.xml': (_, response) =>
        response.end(urlset(`${site.url}/listed`, 'http://elsewhere.test/')),
      '/listed': 'x',
      '/': 'x',
    })
    const { byPath, summary } = await crawlSite(site, { sitemaps: true, depth: 0 })
    expect([...byPath.keys()].sort()).toEqual(['/', '/listed', '/sitemap.xml'])
    expect(summary.skipped).toEqual({ 'out-of-scope': 1 })
  })

  it('leaves out, with --sitemap-since, what was not modified since', async () => {
    const dated = (name: string, path: string, modified: string) =>
      `<${name}><loc>${path}</loc><lastmod>${modified}</lastmod></${name}>`
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    const site = await serveSite({
      '/sitemap.xml': `<sitemapindex>${dated('sitemap', '/new.xml', yesterday)}
        ${dated('sitemap', '/old.xml', '2020-01-01')}</sitemapindex>`,
      '/new.xml': `<urlset>${dated('url', '/new', yesterday)}${dated('url', '/old', '2020-01')}
        ${dated('url', '/linked', '2020-01-01T08:00Z')}</urlset>`,
      '/new': '<a href="/linked">x</a>',
      '/linked': 'x',
      '/': 'x',
    })
    const { byPath, summary } = await crawlSite(site, { sitemaps: true, sitemapSince: '7d' })
    expect([...byPath.keys()].sort()).toEqual(['/', '/linked', '/new', '/new.xml', '/sitemap.xml'])
    expect(summary.skipped).toMatchObject({ unmodified: 3 })
  })

  it.each(['robots.txt is not there', 'robots.txt is not asked for'])(
    'tries the usual place for each origin if %s',
    async (why) => {
      const [one, other] = [await serveSite({ '/': 'x' }), await serveSite({ '/': 'x' })]
      const config = { sitemaps: true, ignoreRobots: why.endsWith('asked for') }
      const seeds = [`${one.url}/`, `${other.url}/`]
      const { visits } = await crawlSite(one, { ...config, seeds })
      const found = visits.filter(({ hop }) => hop === 'sitemap')
      expect(found.map(({ url }) => url).sort()).toEqual(
        [`${one.url}/sitemap.xml`, `${other.url}/sitemap.xml`].sort(),
      )
      // It was worth a try, and the missing sitemap has a record like any other URL.
      expect(found[0]).toMatchObject({ status: 404, depth: 0 })
      expect(found[0]).not.toHaveProperty('via')
    },
  )

  it('visits and counts each URL of a long sitemap once, which a worker reports in parts', async () => {
    const listed = Array.from({ length: 30_000 }, (_, index) => `http://elsewhere.test/${index}`)
    const site = await serveSite({
      '/sitemap.xml': (_, response) =>
        response.end(urlset(`${site.url}/first`, ...listed, ...listed, `${site.url}/last`)),
      '/first': 'x',
      '/last': 'x',
      '/': 'x',
    })
    const { byPath, summary } = await crawlSite(site, { sitemaps: true, depth: 0 })
    expect([...byPath.keys()].sort()).toEqual(['/', '/first', '/last', '/sitemap.xml'])
    expect(byPath.get('/sitemap.xml')).toMatchObject({ links: 60_002, discovered: 2 })
    expect(summary.skipped).toEqual({ 'out-of-scope': 30_000 })
  })

  it('reads text, RSS and Atom of any content type, and broken files as far as possible', async () => {
    const rss = '<rss><channel><item><link>/rss</link></item></channel></rss>'
    const atom = '<feed><entry><link href="/atom"/></entry></feed>'
    const robots = ['text', 'feed', 'atom', 'broken'].map((name) => `Sitemap: /${name}.map\n`)
    const site = await serveSite({
      '/robots.txt': (_, response) => response.end(robots.join('')),
      '/text.map': (_, response) => response.end(`${site.url}/text\n# ${site.url}/no\n`),
      '/feed.map': (_, response) => response.end(rss),
      '/atom.map': (_, response) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(atom)
      },
      '/broken.map': (_, response) => response.end('<urlset><url><loc>/whole</loc><loc>/ha'),
    })
    const { byPath } = await crawlSite(site, { sitemaps: true, depth: 0 })
    const listed = [...byPath.keys()].filter((path) => !path.endsWith('.map')).sort()
    expect(listed).toEqual(['/', '/atom', '/rss', '/text', '/whole'])
    expect(byPath.get('/rss')).toMatchObject({ via: `${site.url}/feed.map`, hop: 'sitemap' })
  })

  it('obeys the scope and robots.txt, and ignores sitemaps on other hosts', async () => {
    const other = await serveSite({ '/map.xml': (_, response) => response.end(urlset('/x')) })
    const site = await serveSite({
      '/robots.txt': (_, response) => {
        response.end(
          `Sitemap: ${other.url}/map.xml\nSitemap: /map.xml\nUser-agent: *\nDisallow: /docs/no`,
        )
      },
      '/map.xml': (_, response) => response.end(urlset('/docs/yes', '/docs/no', '/blog/')),
      '/docs/': 'x',
      '/docs/yes': 'x',
    })
    const config = { sitemaps: true, scope: 'path', allowPrivate: true } as const
    const { byPath, summary } = await crawlSite(site, { ...config, seeds: [`${site.url}/docs/`] })
    expect([...byPath.keys()].sort()).toEqual(['/docs/', '/docs/yes', '/map.xml'])
    expect(summary.skipped).toEqual({ 'out-of-scope': 1, robots: 1 })
    expect(other.requests).toEqual([])
  })

  it('gives a page that is also linked the smaller of both depths', async () => {
    const site = await serveSite({
      '/': '<a href=/1>x</a>',
      '/1': '<a href=/listed>x</a>',
      '/listed': '<a href=/2>x</a>',
      '/sitemap.xml': (_, response) => response.end(urlset('/listed')),
    })
    const { byPath } = await crawlSite(site, { sitemaps: true })
    expect(byPath.get('/listed')).toMatchObject({ depth: 0, hop: 'sitemap' })
    expect(byPath.get('/2')).toMatchObject({ depth: 1, via: `${site.url}/listed` })
  })

  it("are requested at the seeds' hosts, not at hosts that are found later", async () => {
    // At depth 0 it would be too late: links of pages that were already read are not kept.
    const late = await serveSite({ '/met': 'x' })
    const site = await serveSite({ '/': `<a href="${late.url}/met">x</a>` })
    const config = { sitemaps: true, scope: 'any', allowPrivate: true } as const
    const { visits } = await crawlSite(site, config)
    const requested = visits.filter(({ hop }) => hop === 'sitemap').map(({ url }) => url)
    expect(requested).toEqual([`${site.url}/sitemap.xml`])
    expect(visits.map(({ url }) => url)).toContain(`${late.url}/met`)
  })

  it("doesn't widen the scope if a listed page redirects to another host", async () => {
    const other = await serveSite({ '/': 'x' })
    const site = await serveSite({
      '/': 'x',
      '/sitemap.xml': (_, response) => response.end(urlset('/moved')),
      '/moved': (_, response) => response.writeHead(302, { location: `${other.url}/` }).end(),
    })
    const { summary } = await crawlSite(site, { sitemaps: true, allowPrivate: true })
    expect(other.requests).toEqual([])
    expect(summary.skipped).toEqual({ 'out-of-scope': 1 })
  })

  it('counts successive redirects from a listed page like any others', async () => {
    const site = await serveSite({
      '/': 'x',
      '/sitemap.xml': (_, response) => response.end(urlset('/moved')),
      '/moved': (_, response) => response.writeHead(302, { location: '/there' }).end(),
      '/there': 'x',
    })
    const { byPath } = await crawlSite(site, { sitemaps: true, maxRedirects: 1 })
    expect(byPath.get('/there')).toMatchObject({ status: 200, depth: 0, hop: 'redirect' })
  })

  it('are not read by default', async () => {
    const site = await serveSite({
      '/robots.txt': (_, response) => response.end(`Sitemap: ${site.url}/sitemap.xml`),
      '/': 'x',
    })
    expect([...(await crawlSite(site)).byPath.keys()]).toEqual(['/'])
  })
})
