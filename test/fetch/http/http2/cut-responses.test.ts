import { describe, expect, it } from 'vitest'
import {
  dataFrame,
  type FramedRequest,
  headersFrame,
  resetFrame,
  serveByFrames,
} from '../../../support/http2-frames.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

const [INTERNAL_ERROR, CANCEL] = [2, 8]

const half = (stream: number, length?: number) =>
  Buffer.concat([headersFrame(stream, length), dataFrame(stream, 'half')])

/** Sends half of a body, and calls `end` as soon as that was read. */
const cut =
  (end: (request: FramedRequest) => void, length?: number) => (request: FramedRequest) => {
    request.socket.write(half(request.stream, length))
    setTimeout(() => end(request), 20)
  }

describe('an HTTP/2 response whose body breaks off', () => {
  it.each<[string, Parameters<typeof cut>[0]]>([
    ['the connection is lost', ({ socket }) => socket.destroy()],
    ['the server cancels it', ({ socket, stream }) => socket.write(resetFrame(stream, CANCEL))],
    ['the server fails', ({ socket, stream }) => socket.write(resetFrame(stream, INTERNAL_ERROR))],
    [
      'it ends before its length',
      ({ socket, stream }) => socket.write(dataFrame(stream, '', true)),
    ],
  ])('may be requested again, and is kept after the last attempt, if %s', async (_, end) => {
    const { url } = await serveByFrames(cut(end, 10))
    const get = (mayRetry: boolean) =>
      openTestFetcher({ insecure: true }).get({ url: `${url}/`, maxBody: ENOUGH, mayRetry })
    const failure = { code: 'connection-reset', isTransient: true, status: 200 }
    await expect(get(true)).rejects.toMatchObject(failure)
    expect(await get(false)).toMatchObject({ status: 200, bytes: 4, truncated: true, failure })
  })

  it.each([undefined, 10])(
    'is requested over HTTP/1.1 next if the server fails, with a length of %s',
    async (length) => {
      const { url, requests } = await serveByFrames(
        cut(({ socket, stream }) => socket.write(resetFrame(stream, INTERNAL_ERROR)), length),
      )
      const client = openTestFetcher({ insecure: true })
      const get = (path: string) => client.get({ url: `${url}${path}`, maxBody: ENOUGH })
      await expect(get('/a')).rejects.toMatchObject({ code: 'connection-reset' })
      expect(await get('/a')).toMatchObject({ status: 200, truncated: false })
      expect(requests).toEqual(['1/1', '/a'])
    },
  )

  it.each([undefined, 10])(
    'is requested over HTTP/2 next if the connection is lost, with a length of %s',
    async (length) => {
      const { url, requests } = await serveByFrames(cut(({ socket }) => socket.destroy(), length))
      const client = openTestFetcher({ insecure: true })
      for (let n = 0; n < 2; n++) {
        const sent = client.get({ url: `${url}/`, maxBody: ENOUGH })
        await expect(sent).rejects.toMatchObject({ code: 'connection-reset' })
      }
      expect(requests).toEqual(['1/1', '2/1'])
    },
  )
})
