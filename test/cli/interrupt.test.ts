import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CrawlRun, runCrawl } from '../support/run-cli.ts'
import { type SiteServer, startServer } from '../support/site-server.ts'
import { until } from '../support/until.ts'
import { serveTree } from './tree-site.ts'

/** The object of the last line of the log: the summary. */
function summaryOf(run: CrawlRun): Record<string, unknown> {
  return JSON.parse(run.stderr.trimEnd().split('\n').at(-1) ?? '')
}

/** A site that never answers, but for its robots.txt. */
async function serveSilence(): Promise<SiteServer> {
  const site = await startServer((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
  })
  onTestFinished(() => site.close())
  return site
}

/** Starts a crawl of a silent site, and lets `act` do as it likes once a page has been asked for. */
async function interrupt(act: (child: ChildProcess) => Promise<void> | void) {
  const site = await serveSilence()
  const { promise, resolve } = Promise.withResolvers<ChildProcess>()
  const running = runCrawl([`${site.url}/`, '-w', '1', '--timeout', '1h'], { onStart: resolve })
  const child = await promise
  await until(() => site.requests.length >= 2)
  await act(child)
  return running
}

/** Resolves when the process has said on stderr that it stops. */
async function stopping(child: ChildProcess): Promise<void> {
  for await (const text of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    if (`${text}`.includes('Stopping')) return
  }
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  it('lets what is in flight come to its end, and prints the summary', async () => {
    const site = await serveTree(10_000, () => sleep(20))
    const run = await runCrawl([`${site.url}/1`, '-d', '99', '-w', '2'], {
      signalAfter: { visits: 20, signal },
    })
    expect(run.code).toBe(130)
    const { visits } = run
    expect(visits.length).toBeGreaterThanOrEqual(20)
    expect(visits.length).toBeLessThan(5_000)
    expect(site.requests).toHaveLength(visits.length + 1)
    expect(visits.every(({ status }) => status === 200)).toBe(true)
    expect(summaryOf(run)).toMatchObject({ reason: 'stopped', visits: visits.length, inFlight: 0 })
    expect(run.stderr).toMatch(/Stopping: \d+ requests in flight; interrupt again to end at once/)
  })

  it('ends at once when it comes again', async () => {
    const run = await interrupt(async (child) => {
      child.kill(signal)
      await stopping(child)
      child.kill(signal)
    })
    expect(run.code).toBe(130)
    // What comes when it has waited for the request in vain.
    expect(run.stderr).not.toContain('"reason"')
    expect(run.stderr).not.toMatch(/^\s+at /m)
  })
})
