import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MAX_TIMER_MS } from '../../../../src/runtime/max-timer.ts'
import { makeAuthority } from '../../../support/certificates.ts'
import { serveHttp2 } from '../../../support/http2-server.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

/** Starts an HTTP/2-only server for a name. Lists the data of each request. */
async function serveNamed() {
  const authority = await makeAuthority()
  const received: Record<string, unknown>[] = []
  const names: unknown[] = []
  const server = await serveHttp2(
    (stream, path, headers) => {
      received.push(headers)
      names.push(Reflect.get(stream.session?.socket ?? {}, 'servername'))
      stream.respond({ ':status': 200 })
      stream.end('ok', () => path === '/last' && stream.session?.close())
    },
    await authority.issue('site.test'),
  )
  const url = `https://site.test:${server.port}`
  const open = (headers: Record<string, string>, timeout = 20_000) =>
    openTestFetcher({
      ...{ timeout, headers, headerOrigins: [url], certificates: { authorities: authority.cert } },
      resolver: async () => [{ address: '127.0.0.1', family: 4 }],
    })
  return { url, sessions: server.sessions, names, received, open }
}

describe('an HTTP/2 request', () => {
  it('may have the longest timeout of a timer', async () => {
    const warn = vi.spyOn(process, 'emitWarning')
    onTestFinished(() => warn.mockRestore())
    const { url, open } = await serveNamed()
    const sent = open({}, MAX_TIMER_MS).get({ url: `${url}/`, maxBody: ENOUGH })
    expect(await sent).toMatchObject({ status: 200 })
    expect(warn).not.toHaveBeenCalled()
  })

  it('sends the host of its URL to TLS, even if the user sets another Host', async () => {
    const { url, sessions, names, received, open } = await serveNamed()
    const client = open({ Host: 'other.test' })
    for (const path of ['/last', '/last', '/']) {
      expect(await client.get({ url: url + path, maxBody: ENOUGH })).toMatchObject({ status: 200 })
    }
    expect(new Set(received.map((headers) => headers[':authority']))).toEqual(
      new Set(['other.test']),
    )
    expect(new Set(names)).toEqual(new Set(['site.test']))
    expect(sessions.size).toBe(3)
  })

  it('omits headers that only HTTP/1.1 allows', async () => {
    const { url, received, open } = await serveNamed()
    const own = {
      TE: 'gzip',
      'Proxy-Connection': 'keep-alive',
      'HTTP2-Settings': 'x',
      'X-Own': 'y',
    }
    const sent = open(own).get({ url: `${url}/`, maxBody: ENOUGH })
    expect(await sent).toMatchObject({ status: 200 })
    expect(received).toMatchObject([{ 'x-own': 'y' }])
  })
})
