import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  answerPage,
  type FramedRequest,
  goawayFrame,
  headersFrame,
  serveByFrames,
  settingsFrame,
} from '../../../support/http2-frames.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

const open = (options: Parameters<typeof openTestFetcher>[0] = {}) =>
  openTestFetcher({ insecure: true, timeout: 20_000, ...options })

describe('a form over HTTP/2', () => {
  it('is sent on a connection of its own, which is then closed', async () => {
    const { url, requests, sockets } = await serveByFrames(answerPage)
    const client = open()
    const form = { from: `${url}/`, body: 'a=1' }
    await client.get({ url: `${url}/`, maxBody: ENOUGH })
    for (let n = 0; n < 2; n++) {
      expect(await client.get({ url: `${url}/`, maxBody: ENOUGH, form })).toMatchObject({
        status: 200,
      })
    }
    expect(requests).toEqual(['1/1', '2/1', '3/1'])
    await expect.poll(() => sockets.size).toBe(1)
  })
})

describe('a server that allows few streams at a time', () => {
  it('gets the other requests in order, on the same connection', async () => {
    const { url, requests } = await serveByFrames(answerPage, settingsFrame(1))
    const client = open({ concurrency: 6 })
    const done: number[] = []
    const get = async (n: number) => {
      await client.get({ url: `${url}/${n}`, maxBody: ENOUGH })
      done.push(n)
    }
    await Promise.all(Array.from({ length: 12 }, (_, n) => get(n)))
    expect(done).toEqual(Array.from({ length: 12 }, (_, n) => n))
    expect(requests).toEqual(done.map((n) => `1/${2 * n + 1}`))
  })
})

describe('a server that ends a connection during a slow response', () => {
  it('gets unprocessed requests at once, on another connection', async () => {
    const { url, requests } = await serveByFrames((request) => {
      const { socket, connection, stream } = request
      if (connection > 1) answerPage(request)
      else if (stream === 5) socket.write(goawayFrame(1, 0))
    })
    const client = open({ timeout: 5_000 })
    const get = (path: string) => client.get({ url: `${url}${path}`, maxBody: ENOUGH })
    const slow = get('/slow').catch(({ code }) => code)
    await expect.poll(() => requests.length).toBe(1)
    const refused = await Promise.all([get('/1'), get('/2')])
    expect([...refused, await get('/3')].map(({ status }) => status)).toEqual([200, 200, 200])
    expect(requests).toEqual(['1/1', '1/3', '1/5', '2/1', '2/3', '2/5'])
    await client.close()
    expect(await slow).toBe('connection-reset')
  })

  it('is not connected to repeatedly if it then refuses connections', async () => {
    const { url, requests, server } = await serveByFrames(({ socket, stream }) => {
      if (stream !== 3) return
      server.close()
      socket.write(goawayFrame(1, 0))
    })
    const connect = vi.spyOn(tls, 'connect')
    onTestFinished(() => connect.mockRestore())
    const client = open({ timeout: 500 })
    const get = (path: string) => client.get({ url: `${url}${path}`, maxBody: ENOUGH })
    const slow = get('/slow').catch(({ code }) => code)
    await expect.poll(() => requests.length).toBe(1)
    await expect(get('/1')).rejects.toMatchObject({ code: 'connection-refused' })
    expect(await slow).toBe('timeout')
    // For the first request, after the GOAWAY, and when the slow response has ended.
    expect(connect).toHaveBeenCalledTimes(3)
  })
})

describe('a connection that ends with its requests', () => {
  it('takes no place among those that are kept alive', async () => {
    const steady = await serveByFrames(answerPage)
    const ending = await serveByFrames(({ socket }) => socket.destroy())
    const client = open({ concurrency: 1, maxIdle: 1 })
    const get = async ({ url }: { readonly url: string }) => {
      return (await client.get({ url: `${url}/`, maxBody: ENOUGH })).status
    }
    await get(steady)
    await get(ending)
    await get(steady)
    expect(steady.requests).toEqual(['1/1', '1/3'])
  })
})

describe('a fetcher that is closed', () => {
  it.each<[string, (request: FramedRequest) => void]>([
    ['while responses arrive', () => {}],
    [
      'while the server ends their connection',
      ({ socket, stream }) => socket.write(goawayFrame(stream, 0)),
    ],
  ])('fails requests %s', async (_, then) => {
    const begun = Promise.withResolvers<void>()
    const { url, sockets } = await serveByFrames((request) => {
      request.socket.write(headersFrame(request.stream))
      then(request)
      begun.resolve()
    })
    const client = open()
    const sent = client.get({ url: `${url}/`, maxBody: ENOUGH })
    const failed = expect(sent).rejects.toMatchObject({
      ...{ code: 'connection-reset', isTransient: true },
      message: 'the fetcher was closed',
    })
    await begun.promise
    // The client reads what was written.
    await sleep(50)
    await client.close()
    await failed
    await expect.poll(() => sockets.size).toBe(0)
  })
})
