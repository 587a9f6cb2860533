import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { crawlSite, serveSite } from '../support/crawl-site.ts'

const urlset = (...urls: readonly string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

describe('--sitemaps', () => {
  it('takes the sitemaps that robots.txt names, their children, and the pages of those', async () => {
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

  it('looks in the usual place where robots.txt names none, and stays in scope', async () => {
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

  it('are left alone without the flag', async () => {
    const site = await serveSite({
      '/robots.txt': (_, response) => response.end(`Sitemap: ${site.url}/sitemap.xml`),
      '/': 'x',
    })
    expect([...(await crawlSite(site)).byPath.keys()]).toEqual(['/'])
  })
})
