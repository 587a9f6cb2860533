import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { generateGraph } from '../support/generated-graph.ts'
import { countRequests, startGraph } from '../support/graph-server.ts'
import { killOnce, runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'
import type { SiteServer } from '../support/site-server.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const links = (hrefs: readonly string[]) => hrefs.map((href) => `<a href="${href}">x</a>`).join('')

/** Starts a site whose pages each fail at first. A seed redirects to it from outside of the scope. */
async function startFlakySite(): Promise<SiteServer> {
  const requested = new Map<string, number>()
  const paths = Array.from({ length: 12 }, (_, index) => `/flaky/${index}`)
  const server = await serve(({ url = '' }, response) => {
    if (url === '/robots.txt') {
      return void response.end('User-agent: *\nDisallow: /flaky/7\nSitemap: /listed.txt\n')
    }
    if (url === '/listed.txt') {
      return void response.end(`${server.url}/flaky/3\n${server.url}/alone\n`)
    }
    const count = (requested.get(url) ?? 0) + 1
    requested.set(url, count)
    const isFailing = url.startsWith('/flaky/') && count % 2 === 1
    response.writeHead(isFailing ? 503 : 200, { 'content-type': 'text/html' })
    response.end(links([...paths, '/alone', 'http://elsewhere.test/', 'mailto:x']))
  })
  return server
}

describe('crawl --deterministic', () => {
  it('writes the same bytes for any latencies and any number of workers', async () => {
    const shape = { seed: 7, pages: 60, hosts: 4, seedEveryHost: true, redirects: 0.2 }
    const slowness = { latencySeed: 1, slowHost: { index: 2, delayMs: 3 } }
    const graph = await startGraph(generateGraph(shape), slowness)
    onTestFinished(() => graph.close())
    const flaky = await startFlakySite()
    const gate = await serve(({ url }, response) => {
      const status = url === '/' ? 302 : 404
      response.writeHead(status, { location: `${flaky.url}/` }).end()
    })
    const crawl = async (latencySeed: number, workers: number) => {
      slowness.latencySeed = latencySeed
      slowness.slowHost.index = latencySeed % 4
      const skipped = path(`${latencySeed}.jsonl`)
      const args = [
        '--deterministic',
        '--sitemaps',
        '--depth',
        '4',
        '--retries',
        '1',
        '--allow-private',
        '--skipped',
        skipped,
      ]
      const seeds = [...graph.seeds, `${gate.url}/`]
      const run = await callCrawl([...seeds, ...args, '-w', `${workers}`])
      return { ...run, visits: run.visits, skips: await readFile(skipped, 'utf8') }
    }
    const first = await crawl(1, 1)
    const second = await crawl(2, 4)
    expect(second.stdout).toBe(first.stdout)
    expect(second.skips).toBe(first.skips)
    // The output has the whole crawl, at the right depths, level by level.
    const expected = graph.expected({ depth: 4 })
    const found = new Map(first.visits.map((visit) => [visit.url, visit]))
    for (const [url, { depth }] of expected) expect(found.get(url)?.depth, url).toBe(depth)
    const depths = first.visits.map(({ depth }) => depth)
    expect(depths).toEqual(depths.toSorted((a, b) => a - b))
    const retried = first.visits.filter(
      ({ url, attempts }) => url.includes('/flaky/') && attempts === 2,
    )
    expect(retried.length).toBe(11)
    expect(found.get(`${flaky.url}/alone`)).toMatchObject({ depth: 0, hop: 'sitemap' })
    expect(
      first.visits.some((visit) => 'time' in visit || 'ms' in visit || 'worker' in visit),
    ).toBe(false)
    expect(first.skips).toContain('elsewhere.test')
  })

  it('continues in the same order after it was killed', async () => {
    const shape = { seed: 11, pages: 80, hosts: 2, seedEveryHost: true, errors: 0 }
    const slowness = { latencySeed: 1 }
    const graph = await startGraph(generateGraph(shape), slowness)
    onTestFinished(() => graph.close())
    const requested = () => countRequests(graph)
    const crawl = async (name: string, killAt = Number.POSITIVE_INFINITY) => {
      const output = path(name)
      const args = [
        '--deterministic',
        '--depth',
        '9',
        '--ignore-robots',
        '-w',
        '2',
        '-c',
        '1',
        '-o',
        output,
      ]
      const command = [...graph.seeds, ...args, '--state', `${output}.state`]
      const kill = (child: ChildProcess) => killOnce(child, () => requested() > killAt)
      const isKilled = killAt < Number.POSITIVE_INFINITY
      const run = isKilled ? runCrawl(command, { onStart: kill }) : callCrawl(command)
      const { code } = await run
      return { code, lines: (await readFile(output, 'utf8')).replace(/"attempts":\d+/g, '') }
    }
    const whole = await crawl('whole')
    slowness.latencySeed = 2
    expect(await crawl('killed', requested() + 45)).toMatchObject({ code: null })
    expect(await crawl('killed')).toEqual(whole)
    expect(whole.lines.split('\n').length).toBeGreaterThan(60)
  })
})
