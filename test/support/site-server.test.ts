import { afterEach, describe, expect, it } from 'vitest'
import { type SiteServer, startServer } from './site-server.ts'
import { until } from './until.ts'

let site: SiteServer | undefined

afterEach(() => site?.close())

describe('startServer', () => {
  it('records every request with its path, host and times', async () => {
    site = await startServer((_, response) => void response.end('hello'), { host: '127.0.0.9' })
    await (await fetch(`${site.url}/a?b=1`)).text()
    const [seen] = site.requests
    expect(site.requests).toHaveLength(1)
    expect(seen).toMatchObject({ url: '/a?b=1', host: site.url.slice('http://'.length) })
    expect(seen?.host).toMatch(/^127\.0\.0\.9:\d+$/)
    expect(seen?.endedAt).toBeGreaterThanOrEqual(seen?.startedAt ?? Infinity)
  })

  it('reports the maximum number of requests in progress at the same time', async () => {
    site = await startServer(async (_, response) => {
      await until(() => (site?.requests.length ?? 0) >= 3)
      response.end()
    })
    const { url } = site
    await Promise.all([1, 2, 3].map((page) => fetch(`${url}/${page}`)))
    await fetch(`${url}/4`)
    expect(site.maxConcurrent).toBe(3)
    expect(site.requests).toHaveLength(4)
  })

  it('cuts the connection if its handler fails, and continues', async () => {
    site = await startServer((request, response) => {
      if (request.url === '/bad') throw new Error('as the test wants it')
      response.end('fine')
    })
    await expect(fetch(`${site.url}/bad`)).rejects.toThrow()
    expect(await (await fetch(`${site.url}/good`)).text()).toBe('fine')
  })

  it('cuts open connections when it closes', async () => {
    site = await startServer(() => {})
    const failed = expect(fetch(`${site.url}/never`)).rejects.toThrow()
    await until(() => site?.requests.length === 1)
    await site.close()
    await failed
  })
})
