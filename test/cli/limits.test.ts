import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()

describe('--max-pages', () => {
  it.each([1, 17])('ends the crawl after exactly %i visits', async (pages) => {
    const site = await serveTree(1_000)
    const args = ['-d', '99', '-w', '2', '--per-host', '50', '--max-pages', `${pages}`]
    const run = await callCrawl([`${site.url}/1`, ...args])
    expect(run.code).toBe(0)
    expect(run.visits).toHaveLength(pages)
    expect(site.requests).toHaveLength(pages + 1)
    expect(run.stderr).toContain('"reason":"max-pages"')
  })

  it('is no limit to a smaller site', async () => {
    const site = await serveTree(20)
    const run = await callCrawl([`${site.url}/1`, '-d', '99', '-w', '1', '--max-pages', '20'])
    expect(run.visits).toHaveLength(20)
    expect(run.stderr).toContain('"reason":"finished"')
  })
})

describe('--max-time', () => {
  it('ends the crawl after the requests in flight', async () => {
    // The whole site would take hours.
    const site = await serveTree(1_000_000, () => sleep(100))
    const args = ['-d', '99', '-w', '2', '--max-time', '3s']
    const run = await callCrawl([`${site.url}/1`, ...args])
    expect(run.code).toBe(0)
    expect(run.visits.length).toBe(site.requests.length - 1)
    expect(run.visits.length).toBeGreaterThan(0)
    expect(run.stderr).toContain('"reason":"max-time"')
  })

  it('causes exit code 3 if it passes before any seed has responded', async () => {
    const { url } = await serve(({ url: requested, socket }, response) => {
      if (requested === '/robots.txt') response.writeHead(404).end()
      else socket.destroy()
    })
    const why = `crawl: ${url}/: no response before --max-time ended the crawl\n`
    const limits = ['-q', '--retries', '9', '--max-time', '1s']
    expect(await callCrawl([`${url}/`, ...limits])).toMatchObject({ code: 3, stderr: why })
    const folder = { cwd: path() }
    const check = await callCrawl(['check', `${url}/`, ...limits, '--junit', 'a.xml'], '', folder)
    expect(check).toMatchObject({ code: 3, stderr: why })
    expect(readFileSync(path('a.xml'), 'utf8')).toContain('<error type="seed" message="no response')
  })
})

describe('--depth', () => {
  it('is the number of links that are followed from a seed', async () => {
    const { url } = await serveTree(100)
    const run = await callCrawl([`${url}/1`, '-d', '2', '-w', '1', '-q'])
    const depths = run.visits.map(({ depth }) => depth)
    expect(depths).toEqual([0, 1, 1, 2, 2, 2, 2])
  })
})
