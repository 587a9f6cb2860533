import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  answerPage,
  dataFrame,
  type FramedRequest,
  goawayFrame,
  headersFrame,
  pageFrames,
  resetFrame,
  serveByFrames,
  settingsFrame,
} from '../../../support/http2-frames.ts'
import { serveHttp2 } from '../../../support/http2-server.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

const [NO_ERROR, REFUSED, ENHANCE_YOUR_CALM] = [0, 7, 11]
/** The last stream ID of a GOAWAY that announces another one (RFC 9113, 6.8). */
const ANY_STREAM = 2 ** 31 - 1
const COUNTED = { code: 'connection-reset', isTransient: true }

const open = () => openTestFetcher({ insecure: true, concurrency: 6, timeout: 10_000 })

type Client = ReturnType<typeof open>

/** Requests pages at the same time. Returns their statuses, or the codes of their errors. */
async function getAll(client: Client, url: string, count: number) {
  const get = (n: number) => client.get({ url: `${url}/${n}`, maxBody: ENOUGH })
  const results = await Promise.allSettled(Array.from({ length: count }, (_, n) => get(n)))
  return results.map((result) =>
    result.status === 'fulfilled' ? result.value.status : result.reason.code,
  )
}

describe('a server that serves few requests per HTTP/2 connection', () => {
  it.each([1, 2, 5])('gets all requests if it serves %d', async (taken) => {
    const { url, requests } = await serveByFrames((request) => {
      const last = 2 * taken - 1
      if (request.stream <= last) answerPage(request)
      if (request.stream === last) request.socket.write(goawayFrame(last, NO_ERROR))
    })
    const client = open()
    for (let n = 0; n < 3; n++) expect(await getAll(client, url, 6)).toEqual(Array(6).fill(200))
    expect(requests.length).toBeLessThanOrEqual(3 * 3 * 6)
    expect(requests.every((request) => /^\d/.test(request))).toBe(true)
  })

  it('gets all requests if its settings and its GOAWAY arrive together, before a response', async () => {
    const { url } = await serveHttp2((stream) => {
      stream.session?.close()
      setTimeout(() => stream.respond({ ':status': 200 }, { endStream: true }), 20)
    })
    expect(await getAll(open(), url, 6)).toEqual(Array(6).fill(200))
  })

  it('gets all requests if it ends each connection after one response', async () => {
    const { url } = await serveByFrames((request) => {
      if (request.stream > 1) return
      answerPage(request)
      request.socket.end()
    })
    const client = open()
    for (let n = 0; n < 3; n++) expect(await getAll(client, url, 6)).toEqual(Array(6).fill(200))
  })
})

describe('a server that ends an HTTP/2 connection', () => {
  it('gets unprocessed requests again at once, and processed ones after a pause', async () => {
    const { url, requests } = await serveByFrames((request) => {
      const { socket, connection, stream } = request
      if (connection > 1) answerPage(request)
      else if (stream === 11) socket.end(goawayFrame(7, NO_ERROR))
    })
    const results = await getAll(open(), url, 6)
    expect(results).toEqual([...Array(4).fill('connection-reset'), 200, 200])
    expect(requests.filter((request) => !request.startsWith('1/'))).toHaveLength(2)
  })

  it('may announce that before', async () => {
    const { url } = await serveByFrames((request) => {
      const { socket, connection, stream } = request
      if (connection > 1) answerPage(request)
      else if (stream === 3) {
        const frames = [goawayFrame(ANY_STREAM, NO_ERROR), pageFrames(1), goawayFrame(1, NO_ERROR)]
        socket.end(Buffer.concat(frames))
      }
    })
    expect(await getAll(open(), url, 2)).toEqual([200, 200])
  })

  it('gets an unprocessed form again, and no processed one', async () => {
    const send = async (last: number) => {
      const { url, requests } = await serveByFrames((request) => {
        if (request.connection > 1) answerPage(request)
        else request.socket.end(goawayFrame(last, NO_ERROR))
      })
      const form = { from: `${url}/`, body: 'a=1' }
      const sent = open().get({ url: `${url}/`, maxBody: ENOUGH, form })
      return [await sent.then(({ status }) => status).catch(({ code }) => code), requests]
    }
    expect(await send(0)).toEqual([200, ['1/1', '2/1']])
    expect(await send(1)).toEqual(['connection-reset', ['1/1']])
  })
})

describe('a server that answers ENHANCE_YOUR_CALM', () => {
  it.each<[string, (request: FramedRequest) => void]>([
    [
      'ends the connection without processing a request',
      ({ socket }) => socket.end(goawayFrame(0, ENHANCE_YOUR_CALM)),
    ],
    [
      'ends the connection after processing the request',
      ({ socket, stream }) => socket.end(goawayFrame(stream, ENHANCE_YOUR_CALM)),
    ],
  ])('gets no request at once if it %s, and none over HTTP/1.1', async (_, refuse) => {
    const { url, requests } = await serveByFrames((request) => {
      if (requests.length === 1) refuse(request)
      else answerPage(request)
    })
    const client = open()
    const get = () => client.get({ url: `${url}/`, maxBody: ENOUGH })
    await expect(get()).rejects.toMatchObject({
      ...COUNTED,
      message: 'the server asks for fewer requests (ENHANCE_YOUR_CALM)',
    })
    expect(requests).toEqual(['1/1'])
    expect(await get()).toMatchObject({ status: 200 })
    expect(requests[1]).toMatch(/^\d\/\d$/)
  })
})

describe('a server that allows no HTTP/2 stream', () => {
  it('gets all others over HTTP/1.1 after a second if it serves, ignores or refuses the first one', async () => {
    const serving = [
      answerPage,
      () => {},
      ({ socket, stream }: FramedRequest) => socket.write(resetFrame(stream, REFUSED)),
    ]
    const before = performance.now()
    const results = serving.map(async (serve) => {
      const { url, requests } = await serveByFrames(serve, settingsFrame(0))
      expect(await getAll(open(), url, 3)).toEqual([200, 200, 200])
      expect(requests).toEqual(expect.arrayContaining(['/1', '/2']))
    })
    await Promise.all(results)
    expect(performance.now() - before).toBeLessThan(5_000)
  })

  it('gets no further ones over HTTP/2 if it allowed some before', async () => {
    const { url, requests } = await serveByFrames((request) => {
      answerPage(request)
      request.socket.write(settingsFrame(0))
    })
    const client = open()
    expect(await getAll(client, url, 1)).toEqual([200])
    expect(await getAll(client, url, 2)).toEqual([200, 200])
    expect(requests.toSorted()).toEqual(['/0', '/1', '1/1'])
  })

  it('may take long for a response if it ends the connection', async () => {
    const { url, requests } = await serveByFrames(async (request) => {
      const { socket, stream, connection } = request
      if (connection > 1) answerPage(request)
      else {
        const frames = [headersFrame(stream), settingsFrame(0), goawayFrame(stream, NO_ERROR)]
        socket.write(Buffer.concat(frames))
        await sleep(1_300)
        socket.write(dataFrame(stream, 'page', true))
      }
    })
    const client = open()
    const slow = getAll(client, url, 1)
    await expect.poll(() => requests.length).toBe(1)
    expect(await getAll(client, url, 2)).toEqual([200, 200])
    expect(await slow).toEqual([200])
    expect(await getAll(client, url, 2)).toEqual([200, 200])
    expect(requests.every((request) => /^\d/.test(request))).toBe(true)
  })

  it('gets them over HTTP/2 if it soon allows streams', async () => {
    const { url, requests, sockets } = await serveByFrames(answerPage, settingsFrame(0))
    const results = getAll(open(), url, 2)
    await expect.poll(() => sockets.size).toBeGreaterThan(0)
    for (const socket of sockets) socket.write(settingsFrame(10))
    expect(await results).toEqual([200, 200])
    expect(requests.every((request) => /^\d/.test(request))).toBe(true)
  })
})
