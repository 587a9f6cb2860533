import { describe, expect, it } from 'vitest'
import { warningsOf } from '../support/limited-run.ts'
import { maxThreads } from '../support/max-threads.ts'
import { runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'

const PAGES = 40

/** Serves a slow host, for which one worker with few requests in flight is not enough. */
async function serveSlowSite(): Promise<string> {
  const links = Array.from({ length: PAGES }, (_, n) => `<a href="/${n}">x</a>`).join('')
  const { url } = await serve(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    setTimeout(() => response.end(url === '/' ? links : 'x'), 100)
  })
  return `${url}/`
}

const crawl = async (threads: number, ...options: readonly string[]) =>
  runCrawl(
    [await serveSlowSite(), '--workers', '4', '-c', '2', '--per-host', '20', ...options],
    maxThreads(threads),
  )

describe('a crawl to which the system refuses threads', () => {
  it('visits all pages with the threads that it has, and warns once', async () => {
    const run = await crawl(2)
    expect(run.visits.map(({ status }) => status)).toEqual(Array(PAGES + 1).fill(200))
    expect(new Set(run.visits.map(({ worker }) => worker))).toEqual(new Set([1, 2]))
    expect(warningsOf(run)).toEqual([
      'The system refuses a further thread (ulimit -u, or the limit of processes of a container): 2 of 4 workers run',
    ])
    expect(run.code).toBe(0)
  })

  it.each([
    [0, []],
    [1, ['--render', 'always']],
  ])('is refused in one sentence if too few of them can start: %i', async (threads, options) => {
    const run = await crawl(threads, ...options)
    expect(run.stderr).toContain(
      'the limit of threads (ulimit -u, or that of processes of a container): expected room for another thread, got none',
    )
    expect(run.stderr).not.toContain('report this')
    expect(run.code).toBe(2)
  })
})
