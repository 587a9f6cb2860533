import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveTree } from './tree-site.ts'

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
})

describe('--depth', () => {
  it('is the number of links that are followed from a seed', async () => {
    const { url } = await serveTree(100)
    const run = await callCrawl([`${url}/1`, '-d', '2', '-w', '1', '-q'])
    const depths = run.visits.map(({ depth }) => depth)
    expect(depths).toEqual([0, 1, 1, 2, 2, 2, 2])
  })
})
