import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { serve } from '../support/serve.ts'
import { runAndLog } from './run-and-log.ts'

const PAGES = 400

const linksTo = (pages: number) =>
  Array.from({ length: pages }, (_, page) => `<a href="/${page}">x</a>`).join('')

describe('a site that refuses requests when they are too many', () => {
  it('loses no page if it takes two connections at a time, and is rarely refused', async () => {
    const server = createServer(async ({ url }, response) => {
      await sleep(2)
      response.setHeader('content-type', 'text/html')
      response.end(url === '/' ? linksTo(PAGES) : 'page')
    })
    onTestFinished(() => void server.close())
    server.maxConnections = 2
    let refusals = 0
    server.on('drop', () => refusals++)
    const seeds = [`http://127.0.0.1:${await listen(server)}/`]
    const { visits, warnings } = await runAndLog({ seeds, workers: 2 })
    expect(visits.filter(({ status }) => status !== 200)).toEqual([])
    expect(visits).toHaveLength(PAGES + 1)
    expect(refusals).toBeLessThan(PAGES / 8)
    expect(warnings).toEqual([])
  })

  it('gets requests about as fast as it allows, if it limits their rate', async () => {
    const perSecond = 100
    let tokens = 20
    let filledAt = performance.now()
    let refusals = 0
    const site = await serve(({ url }, response) => {
      const now = performance.now()
      tokens = Math.min(20, tokens + ((now - filledAt) * perSecond) / 1_000)
      filledAt = now
      response.setHeader('content-type', 'text/html')
      if (tokens >= 1) {
        tokens--
        response.end(url === '/' ? linksTo(PAGES) : 'page')
      } else {
        refusals++
        response.writeHead(429).end()
      }
    })
    const { visits } = await runAndLog({ seeds: [site.url], workers: 2 })
    expect(visits.filter(({ status }) => status !== 200)).toEqual([])
    expect(visits).toHaveLength(PAGES + 1)
    expect(refusals).toBeLessThan(PAGES / 4)
  })
})

describe('a site with many pages that are always unavailable', () => {
  it('is crawled without long pauses, since fewer requests would not help', async () => {
    const site = await serve(({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html')
      if (url === '/') response.end(linksTo(PAGES))
      else response.writeHead(Number(url.slice(1)) % 10 === 0 ? 503 : 200).end('page')
    })
    const started = performance.now()
    const { visits } = await runAndLog({ seeds: [site.url], workers: 2, retries: 1 })
    expect(visits.filter(({ status }) => status === 200)).toHaveLength(0.9 * PAGES + 1)
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})
