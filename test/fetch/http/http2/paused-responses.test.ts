import { describe, expect, it } from 'vitest'
import { RequestLimits } from '../../../../src/throttle/request-limits.ts'
import {
  dataFrame,
  goawayFrame,
  headersFrame,
  serveByFrames,
} from '../../../support/http2-frames.ts'
import { serveHttp2 } from '../../../support/http2-server.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

/** Opens a fetcher that reads a limited number of bytes per second. */
function openLimited(bandwidth: number) {
  const settings = { bandwidth }
  const limits = RequestLimits.open(RequestLimits.allocate(settings, 1, false), settings, 0)
  return openTestFetcher({ insecure: true, concurrency: 32, limits })
}

describe('an HTTP/2 response that is paused for --bandwidth', () => {
  it.each([
    [30_000, 'ends the connection'],
    [undefined, 'ends the connection'],
    [undefined, 'resets the connection'],
  ])('is complete, with a length of %s, even if the server %s after it', async (length, way) => {
    const { url } = await serveByFrames(({ socket, stream }) => {
      socket.write(headersFrame(stream, length))
      for (const isLast of [false, false, true]) {
        socket.write(dataFrame(stream, 'x'.repeat(10_000), isLast))
      }
      if (way === 'ends the connection') socket.end(goawayFrame(stream, 0))
      else setTimeout(() => Reflect.get(socket, '_parent').resetAndDestroy(), 50)
    })
    const response = await openLimited(50_000).get({ url: `${url}/`, maxBody: ENOUGH })
    expect(response).toMatchObject({ status: 200, bytes: 30_000, truncated: false })
  })

  it.each([30_000, undefined])(
    'is complete, with a length of %s, before trailers',
    async (length) => {
      const { url } = await serveHttp2((stream) => {
        const size = length === undefined ? {} : { 'content-length': length }
        stream.respond({ ':status': 200, ...size }, { waitForTrailers: true })
        stream.on('wantTrailers', () => stream.sendTrailers({ 'server-timing': 'total;dur=1' }))
        stream.write('x'.repeat(10_000))
        stream.end('x'.repeat(20_000))
      })
      const response = await openLimited(50_000).get({ url: `${url}/`, maxBody: ENOUGH })
      expect(response).toMatchObject({ status: 200, bytes: 30_000, truncated: false })
    },
  )

  it('is not mistaken for a flood, with any number of responses', async () => {
    const { url, sessions } = await serveHttp2((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('x')
      stream.end(Buffer.alloc(200_000))
    })
    const client = openLimited(8_000_000)
    const get = (n: number) => client.get({ url: `${url}/${n}`, maxBody: ENOUGH })
    const responses = await Promise.all(Array.from({ length: 32 }, (_, n) => get(n)))
    expect(responses.filter(({ truncated }) => truncated)).toEqual([])
    expect(sessions.size).toBe(1)
  })
})
