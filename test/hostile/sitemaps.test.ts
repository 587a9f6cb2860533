import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_SAME_DEPTH_HOPS } from '../../src/records/crawl-url.ts'
import { callCrawl } from '../support/call-cli.ts'
import { type RawServer, startRawServer } from '../support/raw-server.ts'
import type { CrawlRun } from '../support/run-cli.ts'
import { type Behaviour, expectation, gist, type Misbehave } from './behaviour.ts'
import { bytes, flood, page } from './send.ts'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n'
const XML = `${HEAD}\r\n`
const ofLength = (length: number, lines: string) =>
  `${HEAD}Content-Length: ${length}\r\n${lines}\r\n`
const sitemap = (body: Buffer | string, lines = '') =>
  bytes(Buffer.concat([Buffer.from(ofLength(Buffer.byteLength(body), lines)), Buffer.from(body)]))
const OK = { status: 200 } as const
const TRUNCATED = { status: 200, truncated: true } as const
const URLS = '<url><loc>http://example.invalid/</loc></url>'.repeat(1_000)
/** A sitemap longer than the limit. */
const MEBIBYTES = gzipSync(`<urlset>${URLS}<!--${'x'.repeat(70 * 2 ** 20)}`, { level: 1 })

const notFound = bytes('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')

/** Each sitemap lists another new one. */
const further: Misbehave = (socket, path) => {
  const next = `/chain/${Number(path.split('/')[2] ?? 0) + 1}`
  sitemap(`<sitemapindex><sitemap><loc>${next}</loc></sitemap></sitemapindex>`)(socket, path)
}

/** The behavior of a sitemap, and its expected record. */
const SITEMAPS: readonly Behaviour[] = [
  [
    'endless',
    flood(`${XML}<urlset>`, `<!--${'x'.repeat(2 ** 20)}-->${URLS.slice(0, URLS.length / 10)}`),
    TRUNCATED,
  ],
  ['endless-text', flood(XML, 'x'.repeat(2 ** 20)), TRUNCATED],
  ['bomb', sitemap(MEBIBYTES), OK, { links: 1_000 }],
  ['coded-bomb', sitemap(MEBIBYTES, 'Content-Encoding: gzip\r\n'), TRUNCATED],
  ['nested', sitemap(`<urlset>${'<url>'.repeat(500_000)}`), OK],
  ['entities', sitemap(`<!DOCTYPE x [<!ENTITY a "${'b'.repeat(99)}">]><urlset>&a;`), OK],
  ['itself', sitemap('<sitemapindex><sitemap><loc>/itself</loc></sitemap>'), OK],
  ['odd', sitemap('<urlset><url><loc>file:///etc/passwd</loc><loc>\x1b[2J</loc>'), OK],
  ['chain', further, OK],
]

describe('a crawl of a host whose sitemaps are hostile', () => {
  let server: RawServer
  let run: CrawlRun

  const recordsOf = (path: string) =>
    run.visits.filter(({ url }) => url === `${server.url}/${path}`).map(gist)

  beforeAll(async () => {
    const answers = new Map(SITEMAPS.map(([path, answer]) => [path, answer]))
    const robots = SITEMAPS.map(([path]) => `Sitemap: /${path}\n`).join('')
    answers.set('robots.txt', bytes(page(robots))).set('page', bytes(page('all is well')))
    server = await startRawServer((socket, head) => {
      const path = head.split(' ', 2)[1] ?? ''
      const answer = answers.get(path.split('/', 2)[1] ?? '') ?? notFound
      answer(socket, path)
    })
    const flags = ['--sitemaps', '-w', '2', '--timeout', '15s', '--retries', '0']
    run = await callCrawl([`${server.url}/page`, ...flags])
  })

  afterAll(() => server.close())

  it.each(SITEMAPS.map(expectation))(
    'writes one record for a sitemap that is %s',
    (path, expected, more) => {
      expect(recordsOf(path)).toEqual([expected])
      const [record] = run.visits.filter(({ url }) => url === `${server.url}/${path}`)
      expect(record).toMatchObject({ hop: 'sitemap', ...more })
    },
  )

  it('fetches a page of the same host, and ends', () => {
    expect(recordsOf('page')).toEqual([{ status: 200 }])
    expect(run.code).toBe(0)
    expect(run.stderr).not.toMatch(/^\s+at /m)
  })

  it('follows an endless chain of sitemaps up to the limit', () => {
    // robots.txt lists the first sitemap, which is not a hop.
    expect(recordsOf(`chain/${MAX_SAME_DEPTH_HOPS - 1}`)).toEqual([OK])
    expect(recordsOf(`chain/${MAX_SAME_DEPTH_HOPS + 1}`)).toEqual([])
  })
})
