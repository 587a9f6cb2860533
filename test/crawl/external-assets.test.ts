import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CrawlOptions, crawl } from '../../src/crawl/crawl.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { startServer } from '../support/site-server.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const CSS = { 'content-type': 'text/css' }
const HTML = { 'content-type': 'text/html' }

/** Serves the assets of a site under another host, and pages that nothing should lead to. */
async function serveCdn() {
  const server = await startServer(
    ({ url = '' }: IncomingMessage, response: ServerResponse) => {
      if (url === '/robots.txt') response.writeHead(200).end('User-agent: *\nDisallow: /secret/')
      else if (url === '/s.css') response.writeHead(200, CSS).end('p { background: url(bg.png) }')
      else if (url === '/moved.png') response.writeHead(302, { location: '/there.png' }).end()
      else if (url === '/frame.html')
        response.writeHead(200, HTML).end('<a href=/page>x</a><img src=/inner.png>')
      else response.writeHead(200, { 'content-type': 'image/png' }).end('GIF89a')
    },
    { host: '127.0.0.2' },
  )
  onTestFinished(() => server.close())
  return server
}

/** Returns the visits of the other host, each as path, hop and depth, in order of the paths. */
async function crawlWithCdn(
  pageOf: (cdn: string) => Parameters<typeof serveSite>[0],
  options: CrawlOptions,
) {
  const cdn = await serveCdn()
  const site = await serveSite(pageOf(cdn.url))
  const running = crawl({ seeds: [`${site.url}/`], workers: 1, allowPrivate: true, ...options })
  const visits: string[] = []
  for await (const { url, hop, depth } of running)
    if (url.startsWith(cdn.url)) visits.push(`${url.slice(cdn.url.length)} ${hop} ${depth}`)
  const { skipped } = await running.finished
  return { visits: visits.sort(), skipped, methods: new Set(cdn.requests.map((r) => r.method)) }
}

const PAGES = (cdn: string) => ({
  '/': `<link rel=stylesheet href=${cdn}/s.css><img src=${cdn}/a.png><img src=${cdn}/moved.png>
    <img src=/to-cdn.png><style>p { background: url(${cdn}/style.png) }</style><img src=${cdn}/secret/x.png>
    <img src=${cdn}/ads/x.png><object data=${cdn}/frame.html></object><a href=${cdn}/page>x</a><a href=/next>n</a>`,
  '/next': `<img src=${cdn}/a.png><img src=${cdn}/b.png>`,
})

function to(location: string) {
  return (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(302, { location }).end()
}

const REDIRECTS = (cdn: string) => ({
  '/': '<img src=/a1><a href=/p1>x</a><a href=/next>n</a>',
  ...{ '/a1': to('/a2'), '/a2': to(`${cdn}/a.png`), '/p1': to('/p2'), '/p2': to(`${cdn}/p`) },
  ...{ '/next': '<img src=/b1>', '/b1': to('/b2'), '/b2': to(`${cdn}/b.png`) },
})

describe('--external-assets', () => {
  const options = { assets: true, externalAssets: true, exclude: ['/ads/'] } as const

  it('fetches assets of other hosts, and what they load, but no pages there', async () => {
    const { visits, skipped, methods } = await crawlWithCdn(PAGES, options)
    expect(visits).toEqual([
      '/a.png asset 0',
      '/b.png asset 1',
      '/bg.png asset 0',
      '/frame.html asset 0',
      '/inner.png asset 0',
      '/moved.png asset 0',
      '/s.css asset 0',
      '/style.png asset 0',
      '/there.png redirect 0',
    ])
    expect(skipped).toMatchObject({ robots: 1, excluded: 1, 'out-of-scope': 1 })
    expect(methods).toEqual(new Set(['GET']))
  })

  it('also finds them in pages of other encodings, and in deterministic crawls', async () => {
    const inUtf16 = (cdn: string) => ({
      '/': (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, HTML).end(Buffer.from(`\ufeff${PAGES(cdn)['/']}`, 'utf16le')),
    })
    const { visits } = await crawlWithCdn(inUtf16, { ...options, deterministic: true })
    expect(visits).toContain('/a.png asset 0')
    expect(visits).toContain('/style.png asset 0')
  })

  it('leaves links to pages of other hosts to --external', async () => {
    const { visits } = await crawlWithCdn(PAGES, { ...options, external: true })
    expect(visits).toContain('/page external 0')
    expect(visits).toContain('/a.png asset 0')
  })

  it('fetches those that wait when --force resumes a crawl with other settings', async () => {
    const cdn = await serveCdn()
    const site = await serveSite(PAGES(cdn.url))
    const [state, output] = [join(path(), 'state'), join(path(), 'visits.jsonl')]
    const args = [`${site.url}/`, '--allow-private', '-q', '--assets', '--external-assets']
    const kept = [...args, '--state', state, '-o', output]
    expect(await callCrawl([...kept, '--max-pages', '1'])).toMatchObject({ code: 0 })
    expect(await callCrawl([...kept, '--exclude', '/ads/', '--force'])).toMatchObject({ code: 0 })
    const visits = await readFile(output, 'utf8')
    for (const name of ['/a.png', '/bg.png', '/there.png']) expect(visits).toContain(cdn.url + name)
    expect(visits).not.toContain('/ads/')
  })

  it('follows redirects of assets to other hosts, also from redirect to redirect, but none of pages', async () => {
    const { visits } = await crawlWithCdn(REDIRECTS, options)
    expect(visits).toEqual(['/a.png redirect 0', '/b.png redirect 1'])
  })

  it('follows them with --sitemaps, too, where a redirect can only be that of an asset', async () => {
    const { visits } = await crawlWithCdn(REDIRECTS, { ...options, sitemaps: true })
    expect(visits).toEqual(['/b.png redirect 1'])
  })

  it.each([false, true])(
    'fetches an image that is also a link, deterministic: %s',
    async (deterministic) => {
      const page = (cdn: string) => ({ '/': `<a href=${cdn}/a.png><img src=${cdn}/a.png></a>` })
      const { visits } = await crawlWithCdn(page, { ...options, external: true, deterministic })
      expect(visits).toEqual(['/a.png asset 0'])
    },
  )

  it('is off by default, even with --assets', async () => {
    const { visits, skipped } = await crawlWithCdn(PAGES, { assets: true })
    expect(visits).toEqual([])
    expect(skipped['out-of-scope']).toBeGreaterThan(5)
  })
})
