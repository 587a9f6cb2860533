import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { RequestLimits } from '../../src/throttle/request-limits.ts'
import { serve, serveRaw } from '../support/serve.ts'
import { ENOUGH, openTestFetcher } from './open-test-fetcher.ts'

function limitsOf(settings: { rate?: number; bandwidth?: number }): RequestLimits | undefined {
  return RequestLimits.open(RequestLimits.allocate(settings, 1, false), settings, 1)
}

describe('a fetcher with limits', () => {
  it("reads no faster than the bandwidth, which doesn't count as a slow host", async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.alloc(600_000, 'x')),
    )
    const limits = limitsOf({ bandwidth: 1_000_000 })
    const slow = { timeout: 400, minRate: 10_000_000, minRateTime: 50 }
    const fetcher = openTestFetcher({ ...slow, limits })
    const since = performance.now()
    const { bytes, failure, ms } = await fetcher.get({ url: `${url}/`, maxBody: ENOUGH })
    const elapsed = performance.now() - since
    expect({ bytes, failure }).toEqual({ bytes: 600_000, failure: undefined })
    expect(elapsed).toBeGreaterThan(440)
    expect(ms).toBeLessThan(elapsed - 200)
  })

  it('gives up a host that stops sending, even if reading was paused before', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': 900_000 })
      response.write(Buffer.alloc(200_000, 'x'))
    })
    const fetcher = openTestFetcher({ timeout: 300, limits: limitsOf({ bandwidth: 1_000_000 }) })
    const { failure } = await fetcher.get({ url: `${url}/`, maxBody: ENOUGH, mayRetry: false })
    expect(failure?.code).toBe('timeout')
  })

  it('reads a whole body whose connection is closed before it is paid for', async () => {
    const body = 'x'.repeat(30_000)
    const server = await serveRaw(async (socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      await sleep(20)
      socket.end()
    })
    const fetcher = openTestFetcher({ limits: limitsOf({ bandwidth: 100_000 }) })
    const { bytes, failure } = await fetcher.get({ url: `${server.url}/`, maxBody: ENOUGH })
    expect({ bytes, failure }).toEqual({ bytes: body.length, failure: undefined })
  })

  it('reads a body in small chunks to its end, with pauses', async () => {
    const { url } = await serve(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      for (let count = 0; count < 2_000; count++) response.write('x'.repeat(100))
      response.end()
    })
    const fetcher = openTestFetcher({ limits: limitsOf({ bandwidth: 1_000_000 }) })
    const { bytes, failure } = await fetcher.get({ url: `${url}/`, maxBody: ENOUGH })
    expect({ bytes, failure }).toEqual({ bytes: 200_000, failure: undefined })
  })

  it('counts the repeated request after a closed connection', async () => {
    let requests = 0
    const server = await serveRaw((socket) => {
      // Receives the second request, and closes its connection without a response.
      if (++requests === 2) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    const fetcher = openTestFetcher({ limits: limitsOf({ rate: 10 }) })
    const since = performance.now()
    for (const path of ['a', 'b']) {
      await fetcher.get({ url: `${server.url}/${path}`, maxBody: ENOUGH })
    }
    expect(server.connections).toBe(2)
    expect(performance.now() - since).toBeGreaterThan(190)
  })
})
