import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { DecisionLog } from '../../../src/crawl/stats/decision-log.ts'
import { createLogger } from '../../../src/logger.ts'
import type { CrawlUrl } from '../../../src/records/crawl-url.ts'

const crawlUrl: CrawlUrl = {
  ...{ id: 1, url: 'http://a.test/', depth: 1, hop: 'link', attempt: 2, failures: 1 },
  ...{ keepLinks: false, sameDepthHops: 0, redirects: 0 },
}

async function open(level: 'debug' | 'info' | 'silent' | 'trace') {
  let text = ''
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  const log = DecisionLog.open(await createLogger({ level, stream, pretty: false }))
  const lines = () => {
    const parsed: { level: number; msg: string }[] = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    return parsed.map(({ level, msg }) => `${level === 20 ? 'debug' : 'trace'}: ${msg}`)
  }
  return { log, lines }
}

function decideAll(log: DecisionLog | undefined): void {
  log?.skipped({ url: 'http://b.test/', via: 'http://a.test/', depth: 2, reason: 'out-of-scope' })
  log?.skipped({ url: 'http://a.test/x', depth: 0, reason: 'robots', rule: '/x', line: 3 })
  log?.retried(crawlUrl, 'answered 503', 1_234)
  log?.paused('a.test', 400, 'delay')
  for (let time = 0; time < 2; time++) log?.paused('a.test', 5_000, 'crawl-delay')
  log?.paused('a.test', 10_000, 'retry-after')
  log?.notLoaded('http://a.test/a.js', 'robots.txt forbids it')
  log?.assigned(crawlUrl, 2)
}

const DEBUG = [
  'debug: Skipped http://b.test/: out-of-scope, linked from http://a.test/',
  'debug: Skipped http://a.test/x: robots (/x, line 3)',
  'debug: Trying http://a.test/ again in 1.2 s, after attempt 2: answered 503',
  'debug: Waiting 5 s before the next request to a.test: Crawl-delay in robots.txt',
  'debug: Waiting 10 s before the next request to a.test: Retry-After of a response',
  'debug: Did not load http://a.test/a.js for a rendered page: robots.txt forbids it',
]

it.each(['info', 'silent'] as const)('the log of decisions is not written at %s', async (level) => {
  expect((await open(level)).log).toBeUndefined()
})

it('the log of decisions explains at debug why URLs are skipped or retried, and why hosts wait', async () => {
  const { log, lines } = await open('debug')
  decideAll(log)
  expect(lines()).toEqual(DEBUG)
})

it('the log of decisions also lists each pause at trace, and the worker of each URL', async () => {
  const { log, lines } = await open('trace')
  decideAll(log)
  const all = lines()
  expect(all.filter((line) => line.startsWith('debug'))).toEqual(DEBUG)
  expect(all.filter((line) => line.startsWith('trace'))).toEqual([
    'trace: Waiting 400 ms before the next request to a.test: the pause between requests',
    'trace: Waiting 5 s before the next request to a.test: Crawl-delay in robots.txt',
    'trace: Worker 2 gets http://a.test/',
  ])
})
