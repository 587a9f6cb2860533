import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serveRaw } from '../../../support/serve.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const ANSWER = `${OK}Content-Length: 2\r\n\r\nok`
const TOO_LATE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** Answers the first request of each connection, and calls `second` for the second one. */
async function serve(second: (socket: Socket) => unknown) {
  const known = new WeakSet<Socket>()
  const server = await serveRaw((socket) => {
    if (known.has(socket)) second(socket)
    else socket.write(ANSWER)
    known.add(socket)
  })
  const client = openTestFetcher({ concurrency: 1, timeout: 10_000 })
  return { server, get: () => client.get({ url: `${server.url}/`, maxBody: ENOUGH }) }
}

describe('a reused connection that turns out to be stale', () => {
  it.each<[string, (socket: Socket) => unknown]>([
    ['is closed', (socket) => socket.end()],
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['receives the rest of a body longer than its length', (socket) => socket.write(' and more')],
    ['receives half of a header', (socket) => socket.end('HTTP/1.1 200 OK\r\nConte')],
    ['receives 408, since the server had given it up', (socket) => socket.end(TOO_LATE)],
  ])(
    'costs no attempt: the request is sent again on another connection if it %s',
    async (_, how) => {
      const { server, get } = await serve(how)
      for (let i = 0; i < 4; i++) {
        expect(await get()).toMatchObject({ status: 200, bytes: 2, truncated: false })
      }
      // Every second request met a useless connection.
      expect(server.heads.length).toBeLessThanOrEqual(7)
      expect(
        server.heads.filter((head) => /^connection: close$/im.test(head)).length,
      ).toBeGreaterThan(0)
    },
  )

  it('differs from a response that breaks off', async () => {
    const { server, get } = await serve((socket) =>
      socket.end(`${OK}Content-Length: 9\r\n\r\nhalf`),
    )
    await get()
    await expect(get()).rejects.toMatchObject({ code: 'connection-reset', status: 200 })
    expect(server.heads).toHaveLength(2)
  })

  it('leaves the second request only the remaining time', async () => {
    const server = await serveRaw(async (socket) => {
      if (server.heads.length === 1) socket.write(ANSWER)
      else if (server.heads.length === 2) {
        await sleep(1_800)
        socket.end()
      }
    })
    const client = openTestFetcher({ concurrency: 1, timeout: 3_000 })
    await client.get({ url: `${server.url}/`, maxBody: ENOUGH })
    const started = performance.now()
    await expect(client.get({ url: `${server.url}/`, maxBody: ENOUGH })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/^no complete response within \d+ ms$/),
    })
    expect(server.heads).toHaveLength(3)
    // With a timeout of its own, the second request would have until 4,800 ms.
    expect(performance.now() - started).toBeLessThan(4_500)
  })
})

describe('an idle connection', () => {
  it('is closed after some seconds, even if the server would keep it longer', async () => {
    const closed = Promise.withResolvers<void>()
    const server = await serveRaw((socket) => {
      socket.write(`${OK}Keep-Alive: timeout=600\r\nContent-Length: 2\r\n\r\nok`)
      socket.on('end', () => closed.resolve())
    })
    await openTestFetcher().get({ url: `${server.url}/`, maxBody: ENOUGH })
    await closed.promise
    expect(server.connections).toBe(1)
  }, 60_000)
})

describe('a new connection', () => {
  it.each<[string, (socket: Socket) => unknown]>([
    ['is closed', (socket) => socket.end()],
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['receives something other than HTTP', (socket) => socket.write('220 mail.test ESMTP\r\n')],
  ])('is tried once if it %s', async (_, how) => {
    const server = await serveRaw(how)
    await expect(
      openTestFetcher().get({ url: `${server.url}/`, maxBody: ENOUGH }),
    ).rejects.toThrow()
    expect(server.heads).toHaveLength(1)
  })

  it('may respond with 408', async () => {
    const { url } = await serveRaw((socket) => socket.end(TOO_LATE))
    expect(await openTestFetcher().get({ url: `${url}/`, maxBody: ENOUGH })).toMatchObject({
      status: 408,
    })
  })
})
