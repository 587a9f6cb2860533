import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { freePort } from '../support/listen.ts'
import { killOnce, runCrawl } from '../support/run-cli.ts'
import { alter, ask, useFolder, visitsIn } from '../support/state-run.ts'
import { startVanishingSite } from '../support/vanishing-site.ts'

const path = useFolder()
const DAY = 86_400_000

/**
 * Returns a function that runs the same crawl again. It returns the exit code, stderr, and the records that were added.
 */
function crawler(url: string, ...args: readonly string[]) {
  const command = [`${url}/`, '--state', path('state'), '-o', path('out.jsonl'), ...args]
  let known = 0
  return async (...more: readonly string[]) => {
    const { code, stderr } = await callCrawl([...command, ...more])
    const all = await visitsIn(path('out.jsonl'))
    const visits = all.slice(known)
    known = all.length
    return { code, stderr, visits, paths: pathsOf(url, visits) }
  }
}

const pathsOf = (url: string, visits: readonly Visit[]) =>
  visits.map((visit) => visit.url.slice(url.length)).toSorted()
const links = (...paths: string[]) => paths.map((each) => `<a href="${each}">x</a>`).join('')

describe('crawl --state --retry-failed', () => {
  it('visits the remaining URLs of a host that was given up, once it responds again', async () => {
    const site = await startVanishingSite(40, (self, count) => count === 15 && self.leave())
    const crawl = crawler(site.url, '--host-patience', '1s', '--skipped', path('skipped.jsonl'))
    const first = await crawl()
    expect(first.code).toBe(4)
    const left = 41 - first.visits.length
    expect(first.visits.filter(({ status }) => status !== 200)).toEqual([])
    const skipped = (await readFile(path('skipped.jsonl'), 'utf8')).trim().split('\n')
    expect(skipped.map((line) => JSON.parse(line).reason)).toEqual(Array(left).fill('host-failed'))

    const again = await crawl()
    expect(again).toMatchObject({ code: 0, visits: [] })
    expect(again.stderr).toContain(
      `finished, with ${first.visits.length} visits; ${left} URLs failed that --retry-failed visits again`,
    )
    await site.comeBack()
    const second = await crawl('--retry-failed')
    expect(second.code).toBe(0)
    expect(second.visits).toHaveLength(left)
    expect(new Set([...first.paths, ...second.paths]).size).toBe(41)

    const third = await crawl('--retry-failed')
    expect(third).toMatchObject({ code: 0, visits: [] })
    expect(third.stderr).toContain(
      'visits in 2 rounds, none of which failed for a reason that may have passed',
    )
  })

  it('visits no other URL again, and follows new links', async () => {
    let isFixed = false
    const once = (path: string) => ({
      [path]: (_: unknown, response: ServerResponse) => {
        if (isFixed) response.writeHead(200, { 'content-type': 'text/html' }).end(links('/new'))
        else if (path === '/reset') response.destroy()
        else if (path === '/shy') response.writeHead(403).end()
        else response.writeHead(path === '/busy' ? 429 : 503, { 'retry-after': '9999' }).end()
      },
    })
    const site = await serveSite({
      ...{
        '/': links('/page', '/missing', '/reset', '/down', '/busy', '/shy'),
        '/page': 'page',
        '/new': '',
      },
      ...{ ...once('/reset'), ...once('/down'), ...once('/busy'), ...once('/shy') },
    })
    const flags = ['--retries', '0', '--max-retry-after', '10ms', '--retry-status', '403']
    const crawl = crawler(site.url, ...flags)
    const first = await crawl()
    expect(first).toMatchObject({
      code: 0,
      paths: ['/', '/busy', '/down', '/missing', '/page', '/reset', '/shy'],
    })
    isFixed = true
    const second = await crawl('--retry-failed')
    expect(second).toMatchObject({ code: 0, paths: ['/busy', '/down', '/new', '/reset', '/shy'] })
    expect(second.visits.every(({ status, attempts }) => status === 200 && attempts === 1)).toBe(
      true,
    )
  })

  it('requests a robots.txt again that was unreachable', async () => {
    const port = await freePort()
    const crawl = crawler(`http://127.0.0.1:${port}`)
    expect(await crawl()).toMatchObject({
      ...{ code: 3, visits: [{ error: { code: 'robots-unreachable' } }] },
    })
    const { createServer } = await import('node:http')
    const server = createServer((_, response) => void response.end()).listen(port, '127.0.0.1')
    const second = await crawl('--retry-failed')
    server.close()
    server.closeAllConnections()
    expect(second).toMatchObject({ code: 0, visits: [{ status: 200 }] })
  })

  it('stays within --max-per-host', async () => {
    let isFixed = false
    const site = await serveSite({
      '/': links('/a', '/b', '/c'),
      ...Object.fromEntries(
        ['/a', '/b', '/c'].map((each) => [
          each,
          (_, response) => void (isFixed ? response.end() : response.destroy()),
        ]),
      ),
    })
    const crawl = crawler(site.url, '--retries', '0', '--max-per-host', '3')
    expect((await crawl()).paths).toEqual(['/', '/a', '/b'])
    isFixed = true
    expect((await crawl('--retry-failed')).paths).toEqual(['/a', '/b'])
  })

  it('writes each URL of the round once, even if it is killed in the middle', async () => {
    const site = await startVanishingSite(40, (self, count) => count === 10 && self.leave(), {
      ms: 20,
    })
    const crawl = crawler(site.url, '--host-patience', '500ms', '--per-host', '1')
    const { visits } = await crawl()
    await site.comeBack()
    const before = site.requests.length
    const flags = ['--state', path('state'), '--retry-failed', '-q']
    const killed = await runCrawl(flags, {
      onStart: (child) => killOnce(child, () => site.requests.length > before + 15),
    })
    expect(killed.code).toBe(null)
    const rest = await callCrawl(['--state', path('state'), '-q'])
    expect(rest.code).toBe(0)
    const all = await visitsIn(path('out.jsonl'))
    expect(new Set(all.map(({ url }) => url)).size).toBe(41)
    expect(all.length - visits.length).toBe(41 - visits.length)
  })

  it('is refused without --state, and not stored for later runs', async () => {
    const { code, stderr } = await callCrawl(['http://127.0.0.1:9/', '--retry-failed'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'crawl: --retry-failed: expected --state with it, the directory of the earlier visits, got none\n',
    )
    const site = await serveSite({ '/': (_, response) => void response.writeHead(500).end() })
    const crawl = crawler(site.url, '--retries', '0')
    await crawl()
    expect((await crawl('--retry-failed')).visits).toHaveLength(1)
    const { stderr: later } = await callCrawl(['--state', path('state')])
    expect(later).toContain('is finished')
  })
})

describe('crawl --revisit-after', () => {
  it.each([
    ['a finished crawl', []],
    ['a crawl that has reached --max-pages', ['--max-pages', '1']],
  ])(
    'treats visits of %s that lie in the future, after the clock was set back, as made now',
    async (_, limit) => {
      const site = await serveSite({ '/': links('/a'), '/a': '' })
      const crawl = crawler(site.url, '--revisit-after', '1h', ...limit)
      await crawl()
      alter(path('state'), `UPDATE visits SET at = at + ${365 * DAY}`)
      expect((await crawl()).visits).toEqual([])
      const [last] = ask(path('state'), 'SELECT max(at) AS at FROM visits')
      expect(Number(last?.['at'])).toBeLessThan(Date.now() + 1)
      alter(path('state'), `UPDATE visits SET at = at - ${DAY}`)
      expect((await crawl()).paths).toEqual(limit.length > 0 ? ['/'] : ['/', '/a'])
    },
  )
})

describe('crawl --revisit-after --retry-failed', () => {
  it('counts a failed URL whose visit is old once', async () => {
    const site = await serveSite({
      '/': links('/a'),
      '/a': (_, response) => void response.writeHead(500).end(),
    })
    const crawl = crawler(site.url, '--retries', '0')
    await crawl()
    alter(path('state'), `UPDATE visits SET at = at - ${DAY}`)
    const { paths, stderr } = await crawl('--revisit-after', '1h', '--retry-failed')
    expect(paths).toEqual(['/', '/a'])
    expect(stderr).toContain('Round 2: 2 URLs are due')
  })
})
