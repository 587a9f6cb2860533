import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { type RawServer, startRawServer } from '../support/raw-server.ts'
import type { CrawlRun } from '../support/run-cli.ts'
import { type Behaviour, type Expected, expectation, gist } from './behaviour.ts'
import { bytes, bytesAndEnd, bytesAndReset, drip, flood, head, page, redirect } from './send.ts'

const FETCHED = { status: 200 } as const
const UNREACHABLE = { error: 'robots-unreachable' } as const
const TEXT = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n'
const ALLOWED = 'User-agent: *\nAllow: /\n'
const bomb = gzipSync(`${ALLOWED}${'#'.repeat(10 * 2 ** 20)}`)

/** The behavior of /robots.txt, and the outcome of a page of that host. */
const ROBOTS: readonly Behaviour[] = [
  ['never-ends', flood(`${TEXT}${ALLOWED}`, 'Disallow: /x\n'.repeat(5_000)), FETCHED],
  ['is-a-line-without-an-end', flood(`${TEXT}${ALLOWED}`, 'x'.repeat(2 ** 20)), FETCHED],
  ['is-a-bomb', bytes(page(bomb, 'Content-Encoding: gzip\r\n')), FETCHED],
  ['is-binary', bytes(page(Buffer.alloc(100_000, '\0\xff\x1b[2J\r', 'latin1'))), FETCHED],
  ['has-escapes', bytes(page('User-agent: *\nDisallow: /\x1b[2J\n')), FETCHED],
  ['redirects-to-itself', bytes(redirect('/robots.txt')), FETCHED],
  ['redirects-to-a-file', bytes(redirect('file:///etc/passwd')), FETCHED],
  ['never-answers', () => {}, UNREACHABLE],
  ['drips', drip(TEXT, 'x'), UNREACHABLE],
  ['resets', bytesAndReset(''), UNREACHABLE],
  ['resets-in-its-body', bytesAndReset(head('Content-Length: 9\r\n')), UNREACHABLE],
  ['is-no-http', bytesAndEnd('old times'), UNREACHABLE],
  ['has-endless-headers', flood('HTTP/1.1 200 OK\r\n', 'X: y\r\n'.repeat(10_000)), UNREACHABLE],
  ['has-an-unsupported-coding', bytes(page('ok', 'Content-Encoding: compress\r\n')), UNREACHABLE],
]

const good = bytes(page('all is well'))

describe('a crawl of hosts whose robots.txt is hostile', () => {
  const servers = new Map<string, RawServer>()
  let runs: readonly CrawlRun[]

  beforeAll(async () => {
    for (const [name, misbehave] of ROBOTS) {
      const server = await startRawServer((socket, request) => {
        const path = request.split(' ', 2)[1] ?? ''
        if (path === '/robots.txt') misbehave(socket, path)
        else good(socket, path)
      })
      servers.set(name, server)
    }
    const crawlThose = (wanted: Expected, timeout: string) => {
      const names = ROBOTS.flatMap(([name, , expected]) => (expected === wanted ? [name] : []))
      const seeds = names.map((name) => `${servers.get(name)?.url}/page`)
      return callCrawl([...seeds, '-w', '4', '--timeout', timeout, '--retries', '0'])
    }
    // Even on a busy machine, files that arrive have enough time, and files that don't cost little.
    runs = [await crawlThose(FETCHED, '2m'), await crawlThose(UNREACHABLE, '2s')]
  })

  afterAll(async () => {
    for (const server of servers.values()) await server.close()
  })

  it.each(ROBOTS.map(expectation))(
    'writes one record of the page if robots.txt %s',
    (name, expected) => {
      const url = `${servers.get(name)?.url}/page`
      const visits = runs.flatMap((run) => run.visits)
      expect(visits.filter((visit) => visit.url === url).map(gist)).toEqual([expected])
    },
  )

  it('ends normally, without a stack in its log', () => {
    expect(runs.map(({ code }) => code)).toEqual([0, 3])
    for (const { stderr } of runs) expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('writes no control character except line endings', () => {
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u)
  })
})
