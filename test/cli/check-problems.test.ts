import { writeFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callCrawl as callCrawlIn } from '../support/call-cli.ts'
import { serve } from '../support/serve.ts'
import { startServer } from '../support/site-server.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
/** Runs the command in a directory without a config file. */
const callCrawl = (args: readonly string[]) => callCrawlIn(args, '', { cwd: path() })
/** A site whose pages are HTML texts, and whose other URLs redirect. */
async function servePages(pages: Record<string, string>, moved: Record<string, string> = {}) {
  return serve(({ url = '' }, response) => {
    const [page, location] = [pages[url], moved[url]]
    if (location !== undefined) response.writeHead(302, { location }).end()
    else if (page === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
}

const linksTo = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">`).join('')

/** Returns the lines about links, without the URL of the site. */
async function check(url: string, ...flags: string[]) {
  const run = await callCrawl(['check', url, '-w', '1', ...flags])
  const lines = run.stdout.replaceAll(new URL(url).origin, '').split('\n')
  return { code: run.code, lines: lines.filter((line) => line.startsWith('  ')), run }
}

it('crawl check lists a problem of more than ten pages once in text and Markdown, and for each page elsewhere', async () => {
  const paths = Array.from({ length: 12 }, (_, at) => `/${at}`)
  const footer = linksTo('/lost')
  const few = (at: number) => (at < 10 ? linksTo('/lost-by-ten') : '')
  const pages = paths.map((path, at) => [path, footer + few(at)] as const)
  const site = await servePages({ '/': linksTo(...paths), ...Object.fromEntries(pages) })
  const { code, lines, run } = await check(`${site.url}/`, '--deterministic')
  expect(lines.filter((line) => line.includes('/lost '))).toEqual([
    '  broken    /lost  404 Not Found (also on 11 other pages)',
  ])
  expect(lines.filter((line) => line.includes('/lost-by-ten'))).toHaveLength(10)
  expect(run.stdout).toContain(' 22 broken,')
  expect(run.stdout).not.toContain(`${site.url}/11\n`)
  expect(code).toBe(8)
  const { stdout: table } = await callCrawl(['check', `${site.url}/`, '-f', 'md'])
  expect(table.match(/\/lost>.+$/gm)).toEqual([
    expect.stringMatching(/ 404 Not Found \(also on 11 other pages\) \|$/),
  ])
  const { stdout: json } = await callCrawl(['check', `${site.url}/`, '-f', 'json'])
  expect(JSON.parse(json).findings).toHaveLength(22)
})

describe('crawl check counts as broken', () => {
  it('links whose redirects go round in a circle', async () => {
    const moved = { '/self': '/self', '/a': '/b', '/b': '/a', '/into': '/a', '/fine': '/page' }
    const links = linksTo('/self', '/a', '/into', '/fine')
    const site = await servePages({ '/': links, '/page': 'x' }, moved)
    const { code, lines } = await check(`${site.url}/`)
    expect(lines).toEqual([
      '  broken    /self  redirect-loop: it redirects to itself',
      '  broken    /a  redirect-loop: its redirects lead back to /a',
      '  broken    /into  redirect-loop: its redirects lead back to /a',
    ])
    expect(code).toBe(8)
  })

  it('links with more redirects than --max-redirects, wherever the crawl found them', async () => {
    const moved = { '/1': '/2', '/2': '/3', '/3': '/page' }
    const site = await servePages({ '/': linksTo('/3', '/2', '/1'), '/page': 'x' }, moved)
    const { code, lines } = await check(`${site.url}/`, '--max-redirects', '2')
    expect(lines).toEqual(['  broken    /1  too-many-redirects: more than 2 redirects in a row'])
    expect(code).toBe(8)
    const { lines: ofOne } = await check(`${site.url}/`, '--max-redirects', '1')
    expect(ofOne).toContain('  broken    /1  too-many-redirects: more than 1 redirect in a row')
    expect(await check(`${site.url}/`)).toMatchObject({ code: 0, lines: [] })
  })

  it('links to redirects whose target is broken', async () => {
    const site = await serve(({ url = '' }, response) => {
      if (url === '/lost') response.writeHead(302).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end(linksTo('/lost'))
    })
    expect(await check(`${site.url}/`)).toMatchObject({
      code: 8,
      lines: ['  broken    /lost  invalid-redirect: expected a Location header, got none'],
    })
  })

  it('images of the first page, and entries of a sitemap, that redirect to another host', async () => {
    const other = await startServer((_, response) => void response.writeHead(404).end(), {
      host: '127.0.0.2',
    })
    onTestFinished(() => other.close())
    const urlset = (url: string) => `<urlset><url><loc>${url}</loc></url></urlset>`
    const lost = { '/a.png': `${other.url}/a.png`, '/b': `${other.url}/b` }
    const moved = { ...lost, '/old.png': '/new.png', '/new.png': `${other.url}/new.png` }
    const pages = { '/': '<img src=/a.png><img src=/old.png>', '/sitemap.xml': urlset('/b') }
    const site = await servePages(pages, moved)
    const { code, lines } = await check(`${site.url}/`, '--allow-private', '--sitemaps')
    expect(lines).toEqual([
      `  broken    /a.png  404 Not Found at ${other.url}/a.png`,
      `  broken    /old.png  404 Not Found at ${other.url}/new.png`,
      `  broken    /b  404 Not Found at ${other.url}/b`,
    ])
    expect(code).toBe(8)
  })

  it('links that redirect to a private address, and prints both URLs', async () => {
    const site = await servePages({ '/': linksTo('/in') }, { '/in': 'http://127.0.0.3:9999/' })
    const { code, lines } = await check(`${site.url}/`)
    const why = '127.0.0.3 is not public; --allow-private allows requests to it'
    expect([code, lines]).toEqual([
      8,
      [`  broken    /in  302 Found to http://127.0.0.3:9999/: private-address: ${why}`],
    ])
  })

  it('broken entries of a sitemap', async () => {
    const urls = ['/', '/gone', 'http://['].map((url) => `<url><loc>${url}</loc></url>`)
    const pages = { '/': 'x', '/sitemap.xml': `<urlset>${urls.join('')}</urlset>` }
    const site = await servePages(pages)
    const { code, lines, run } = await check(`${site.url}/`, '--sitemaps')
    expect([code, lines]).toEqual([
      8,
      ['  broken    /gone  404 Not Found', '  broken    http://[  invalid-url: expected a URL'],
    ])
    expect(run.stdout).toContain('3 links on 2 pages checked. 2 broken,')
  })

  it('a seed that is missing, and one that redirects to itself', async () => {
    const site = await servePages({ '/': 'x' }, { '/self': '/self' })
    const { code, lines } = await check(`${site.url}/gone`, `${site.url}/self`)
    expect(lines).toEqual([
      '  broken    /gone  404 Not Found',
      '  broken    /self  redirect-loop: it redirects to itself',
    ])
    expect(code).toBe(8)
  })
})

describe('crawl check requests', () => {
  const ASSETS = `<img src="/a.png"><script src="/b.js"></script><link rel=stylesheet href="/c.css">
    <img srcset="/d.png 2x"><a href="/e">`

  it('images, scripts and style sheets, unless turned off', async () => {
    const site = await servePages({ '/': ASSETS })
    const { code, lines } = await check(`${site.url}/`)
    const missing = ['/e', '/a.png', '/b.js', '/c.css', '/d.png']
    expect([code, lines]).toEqual([8, missing.map((name) => `  broken    ${name}  404 Not Found`)])
    expect((await check(`${site.url}/`, '--no-assets')).lines).toEqual([
      '  broken    /e  404 Not Found',
    ])
  })

  it.each(['assets', 'external'])('no %s that the config file turns off', async (setting) => {
    const foreign = await servePages({})
    const far = foreign.url.replace('127.0.0.1', 'localhost')
    const site = await servePages({ '/': `<img src="/a.png"><a href="${far}/b">` })
    const config = path('config.json')
    await writeFile(config, JSON.stringify({ [setting]: false, allowPrivate: true }))
    const { lines } = await check(`${site.url}/`, '--config', config)
    const left = {
      assets: `  broken    ${far}/b  404 Not Found`,
      external: '  broken    /a.png  404 Not Found',
    }
    expect(lines).toEqual([left[setting as keyof typeof left]])
    expect((await check(`${site.url}/`, '--config', config, `--${setting}`)).lines).toHaveLength(2)
  })
})

describe('crawl check of a sitemap', () => {
  it('checks entries on other hosts like external links, once each', async () => {
    const away = await serve(
      ({ url = '' }, response) => response.writeHead(url === '/gone' ? 404 : 200).end(),
      '127.0.0.2',
    )
    const entries = [`${away.url}/fine`, `${away.url}/gone`, `${away.url}/fine`, '/here']
    const list = entries.map((entry) => `<url><loc>${entry}</loc></url>`)
    const sitemap = `<urlset>${list.join('')}</urlset>`
    const site = await servePages({ '/sitemap.xml': sitemap, '/here': linksTo('/deeper') })
    const flags = ['--sitemaps', '--allow-private', '-d', '0']
    const { code, lines, run } = await check(`${site.url}/sitemap.xml`, ...flags)
    expect([code, lines]).toEqual([8, [`  broken    ${away.url}/gone  404 Not Found`]])
    expect(run.stdout.trimEnd().split('\n').slice(-2)).toEqual([
      '4 links on 2 pages: 3 checked, 1 not checked. 1 broken, 0 missing fragments, 0 redirects.',
      'URLs that were not checked: 1 deeper than --depth.',
    ])
    const requests = away.requests.map(({ method, url }) => `${method} ${url}`)
    expect(requests.filter((request) => !request.endsWith('robots.txt')).toSorted()).toEqual([
      ...['GET /gone', 'HEAD /fine', 'HEAD /gone'],
    ])
    const left = await check(`${site.url}/sitemap.xml`, ...flags, '--no-external')
    expect(left.run.stdout).toContain('4 links on 2 pages: 1 checked, 3 not checked.')
    expect(left.run.stdout).toContain('2 outside the scope')
  })
})
