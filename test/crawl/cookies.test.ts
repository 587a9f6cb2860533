import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type CrawlOptions, crawl } from '../../src/crawl/crawl.ts'
import type { Visit } from '../../src/records/visit.ts'
import { serve } from '../support/serve.ts'

let file = ''

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
  file = join(folder, 'cookies.txt')
  onTestFinished(() => rm(folder, { recursive: true }))
})

/** Serves a site that sets a cookie with its first page, and has 40 more. */
function serveCookies() {
  return serve((request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.url !== '/') return void response.end()
    response.setHeader('set-cookie', ['session=1; Path=/; HttpOnly', 'seen=2; Max-Age=3600'])
    response.end(Array.from({ length: 40 }, (_, index) => `<a href="/${index}">`).join(''))
  })
}

async function crawlAll(config: CrawlOptions): Promise<Visit[]> {
  const visits: Visit[] = []
  for await (const visit of crawl({ ignoreRobots: true, workers: 1, ...config })) visits.push(visit)
  return visits
}

describe('cookies', () => {
  it('are neither kept nor sent by default', async () => {
    const { url, requests } = await serveCookies()
    await crawlAll({ seeds: [url] })
    expect(requests.filter(({ headers }) => headers.cookie !== undefined)).toEqual([])
  })

  it('are shared by all workers, and are kept', async () => {
    const { url, requests } = await serveCookies()
    await crawlAll({ seeds: [url], workers: 4, concurrency: 2, perHost: 8, cookies: true })
    const sent = requests.map(({ headers }) => headers.cookie)
    expect(sent).toHaveLength(41)
    expect(sent[0]).toBeUndefined()
    expect(new Set(sent.slice(1))).toEqual(new Set(['session=1; seen=2']))
  })

  it('are read from a file and written to it, readable by its owner only', async () => {
    const { url, requests } = await serveCookies()
    await writeFile(
      file,
      '# Netscape HTTP Cookie File\n\n127.0.0.1\tFALSE\t/\tFALSE\t0\tlogin\t7\n',
    )
    await crawlAll({ seeds: [url], workers: 2, concurrency: 1, cookies: file })
    expect(requests[0]?.headers.cookie).toBe('login=7')
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    expect(lines).toEqual([
      '# Netscape HTTP Cookie File',
      '',
      '127.0.0.1\tFALSE\t/\tFALSE\t0\tlogin\t7',
      '#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t1',
      expect.stringMatching(/^127\.0\.0\.1\tFALSE\t\/\tFALSE\t\d{10}\tseen\t2$/),
    ])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('are sent to a URL that sets one and redirects to itself', async () => {
    const { url, requests } = await serve((request, response) => {
      const { url: path = '', headers } = request
      const isChecked = headers.cookie !== undefined && path !== '/endless'
      const check = { location: `${path}#top`, 'set-cookie': 'checked=1; Path=/a' }
      if (isChecked || path === '/') response.setHeader('content-type', 'text/html')
      else response.writeHead(302, path === '/plain' ? { location: path } : check)
      response.end(path === '/' ? '<a href=/a/1><a href=/plain><a href=/endless>' : '<title>p')
    })
    const requested = async (config: CrawlOptions) => {
      const from = requests.length
      const visits = await crawlAll({ seeds: [url], deterministic: true, ...config })
      const paths = requests.slice(from).map(({ url: path }) => path)
      const pages = visits.map((visit) => [new URL(visit.url).pathname, visit.status])
      return { paths: paths.sort(), pages: pages.sort() }
    }
    const loops = { '/plain': 302, '/endless': 302 }
    expect(await requested({ cookies: true, retries: 0 })).toEqual({
      paths: ['/', '/a/1', '/a/1', '/endless', '/endless', '/plain'],
      pages: Object.entries({ '/': 200, '/a/1': 200, ...loops }).sort(),
    })
    expect(await requested({})).toEqual({
      paths: ['/', '/a/1', '/endless', '/plain'],
      pages: Object.entries({ '/': 200, '/a/1': 302, ...loops }).sort(),
    })
  })

  it('count no retry if a URL that sets one is requested again', async () => {
    const { url } = await serve(({ headers }, response) => {
      if (headers.cookie === undefined)
        response.writeHead(302, { 'set-cookie': 'a=1', location: '/' })
      response.end()
    })
    const run = crawl({ seeds: [url], cookies: true, ignoreRobots: true })
    const visits: Visit[] = []
    for await (const visit of run) visits.push(visit)
    expect(visits).toMatchObject([{ status: 200, attempts: 2 }])
    expect(run.stats().retries).toBe(0)
  })

  it('are written to a new file if there is none', async () => {
    const { url } = await serveCookies()
    await crawlAll({ seeds: [url], cookies: file })
    expect(await readFile(file, 'utf8')).toContain('\tsession\t1\n')
  })

  it.each(['{"cookies": []}', 'example.com\tTRUE\n'])('are not read from %j', async (text) => {
    await writeFile(file, text)
    const start = () => crawl({ seeds: ['http://127.0.0.1:9/'], cookies: file })
    expect(start).toThrow(
      `${file}: line 1: expected a Netscape cookie (7 fields separated by tabs)`,
    )
  })
})
