import { describe, expect, it } from 'vitest'
import { drip, head } from '../../../hostile/send.ts'
import { serveRaw } from '../../../support/serve.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

const RATE = { minRate: 1_000, minRateTime: 1_000 }

describe('a body below the minimum rate', () => {
  it('is aborted long before its timeout', async () => {
    const { url } = await serveRaw((socket) => drip(head(), 'x', 50)(socket, ''))
    const getting = openTestFetcher({ ...RATE, timeout: 60_000 }).get({
      url: `${url}/`,
      maxBody: ENOUGH,
    })
    await expect(getting).rejects.toMatchObject({
      ...{ code: 'timeout', isTransient: true, status: 200 },
      message: 'less than 1,000 bytes a second for 1000 ms',
    })
  })

  it('is aborted even if it started fast', async () => {
    const start = `${head()}${'x'.repeat(100_000)}`
    const { url } = await serveRaw((socket) => drip(start, 'x', 50)(socket, ''))
    const client = openTestFetcher({ ...RATE, timeout: 60_000 })
    const { failure, bytes } = await client.get({
      url: `${url}/`,
      maxBody: ENOUGH,
      mayRetry: false,
    })
    expect(failure).toMatchObject({ code: 'timeout' })
    expect(bytes).toBeGreaterThanOrEqual(100_000)
  })

  it('is not measured before its header', async () => {
    const { url } = await serveRaw((socket) => {
      setTimeout(() => socket.end(`${head('Content-Length: 2\r\n')}ok`), 2_200)
    })
    const answer = await openTestFetcher(RATE).get({ url: `${url}/`, maxBody: ENOUGH })
    expect(answer).toMatchObject({ bytes: 2, truncated: false })
  })

  it('is read completely if it is above the rate', async () => {
    const { url } = await serveRaw((socket) => {
      socket.write(head('Content-Length: 120000\r\n'))
      const start = performance.now()
      let pieces = 0
      const timer = setInterval(() => {
        // On a busy machine, a late timer sends several pieces at once.
        for (; pieces < 40 && 80 * pieces < performance.now() - start; pieces++) {
          socket.write('x'.repeat(3_000))
        }
        if (pieces === 40) clearInterval(timer)
      }, 80)
      socket.once('close', () => clearInterval(timer))
    })
    expect(await openTestFetcher(RATE).get({ url: `${url}/`, maxBody: ENOUGH })).toMatchObject({
      bytes: 120_000,
    })
  })
})
