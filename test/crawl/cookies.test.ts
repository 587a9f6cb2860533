import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type CrawlOptions, crawl } from '../../src/crawl/crawl.ts'
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

async function crawlAll(config: CrawlOptions): Promise<void> {
  for await (const _ of crawl({ ignoreRobots: true, workers: 1, ...config }));
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
