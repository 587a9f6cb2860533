import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { describe, expect, it } from 'vitest'
import { goawayFrame, pageFrames, serveByFrames } from '../../support/http2-frames.ts'
import { frame, serveFrames, serveHttp2 } from '../../support/http2-server.ts'
import { ENOUGH, openTestFetcher } from '../open-test-fetcher.ts'

const [HEADERS, SETTINGS] = [1, 4]
const PROTOCOL_ERROR = 1
const HTTP_1_1_REQUIRED = 13
const PAGES = 12

/** Requests pages at the same time, once each, and returns the results. */
function getAll(url: string, client = openTestFetcher({ insecure: true, concurrency: 6 })) {
  const get = (n: number) => client.get({ url: `${url}/${n}`, maxBody: ENOUGH, keepBody: true })
  return Promise.allSettled(Array.from({ length: PAGES }, (_, n) => get(n)))
}

const statusesOf = (results: Awaited<ReturnType<typeof getAll>>) =>
  results.map((result) =>
    result.status === 'fulfilled' ? result.value.status : result.reason.code,
  )

/** Starts a server whose HTTP/2 calls `answer`, and whose HTTP/1.1 works. Lists the paths that HTTP/1.1 got. */
async function serveBoth(answer: (stream: ServerHttp2Stream, path: string) => void) {
  const http1: (string | undefined)[] = []
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (request.httpVersion !== '1.1') return
    http1.push(request.url)
    response.end(`page ${request.url}`)
  }
  return { ...(await serveHttp2(answer, { allowHTTP1: true, onRequest })), http1 }
}

function respond(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200 })
  stream.end('page')
}

describe('a server whose HTTP/2 fails', () => {
  it.each<[string, (stream: ServerHttp2Stream) => void]>([
    ['goes away with an error', (stream) => stream.session?.goaway(PROTOCOL_ERROR, 0)],
    ['resets streams with an error', (stream) => stream.close(PROTOCOL_ERROR)],
    ['requires HTTP/1.1', (stream) => stream.close(HTTP_1_1_REQUIRED)],
    [
      'has headers that are too large',
      (stream) => stream.respond({ ':status': 200, x: 'y'.repeat(100_000) }),
    ],
    [
      'has more than 128 header fields',
      (stream) =>
        stream.respond(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, 'y']))),
    ],
  ])('gets all requests over HTTP/1.1, once each, if it %s', async (_, fail) => {
    const server = await serveBoth(fail)
    expect(statusesOf(await getAll(server.url))).toEqual(Array(PAGES).fill(200))
    expect(server.http1.toSorted()).toEqual(
      Array.from({ length: PAGES }, (_, n) => `/${n}`).toSorted(),
    )
  })

  it.each<[string, Parameters<typeof serveByFrames>[0]]>([
    [
      'processes no request and goes away with an error',
      ({ socket }) => socket.write(goawayFrame(0, PROTOCOL_ERROR)),
    ],
    ['ends connections before its settings', undefined],
  ])('gets all requests over HTTP/1.1 if it %s', async (_, answer) => {
    const { url, requests } = await serveByFrames(answer)
    expect(statusesOf(await getAll(url))).toEqual(Array(PAGES).fill(200))
    expect(new Set(requests.filter((request) => request.startsWith('/'))).size).toBe(PAGES)
    expect(requests.filter((request) => /^\d/.test(request)).length).toBeLessThanOrEqual(PAGES)
  })

  it('gets a form again over HTTP/1.1 only if it requires HTTP/1.1', async () => {
    const form = { from: 'https://127.0.0.1/', body: 'a=1' }
    const send = async (code: number) => {
      const server = await serveBoth((stream) => stream.close(code))
      const client = openTestFetcher({ insecure: true })
      const sent = client.get({ url: `${server.url}/form`, maxBody: ENOUGH, form })
      return [await sent.catch(({ code: failure }) => failure), server.http1]
    }
    expect(await send(HTTP_1_1_REQUIRED)).toMatchObject([{ status: 200 }, ['/form']])
    expect(await send(PROTOCOL_ERROR)).toEqual(['connection-reset', []])
  })

  it('keeps HTTP/2 if a connection ends, and gets the unanswered requests again', async () => {
    // A session of Node 24 would drop the responses that it hasn't sent yet.
    const { url, requests } = await serveByFrames(({ socket, connection, stream }) => {
      if (connection > 1 || stream < 5) socket.write(pageFrames(stream))
      else socket.end()
    })
    expect(statusesOf(await getAll(url))).toEqual(Array(PAGES).fill(200))
    expect(requests.filter((request) => request.startsWith('/'))).toEqual([])
  })

  it('without HTTP/1.1 gets requests on separate connections, so a failing one costs no other', async () => {
    const server = await serveHttp2((stream, path) => {
      if (path === '/3') stream.session?.goaway(PROTOCOL_ERROR, 0)
      else setTimeout(() => !stream.destroyed && respond(stream), 20)
    })
    const client = openTestFetcher({ insecure: true, concurrency: 6 })
    await getAll(server.url, client)
    const statuses = statusesOf(await getAll(server.url, client))
    expect(statuses.filter((status) => status === 200)).toHaveLength(PAGES - 1)
    expect(statuses[3]).toBe('connection-reset')
  })

  it('without HTTP/1.1 fails with the error of HTTP/2', async () => {
    const bytes = Buffer.concat([frame(SETTINGS, 0, 0), frame(HEADERS, 0, 0, 'no stream')])
    const client = openTestFetcher({ insecure: true })
    const sent = client.get({ url: `${await serveFrames(bytes)}/`, maxBody: ENOUGH })
    await expect(sent).rejects.toMatchObject({ code: 'invalid-response' })
  })
})
