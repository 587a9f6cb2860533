import { expect, it } from 'vitest'
import { pageFrames, resetFrame, serveByFrames } from '../../../support/http2-frames.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

/** Milliseconds within which a flood ends the connection, less than the time for which it may be idle. */
const SOON = 4_000

it('a connection ends soon if the server floods it after its response', async () => {
  const ended = Promise.withResolvers<number>()
  const { url } = await serveByFrames(({ socket, stream }) => {
    const begin = performance.now()
    socket.on('close', () => ended.resolve(performance.now() - begin))
    socket.write(pageFrames(stream))
    const resets = Buffer.concat(Array(1_000).fill(resetFrame(stream, 8)))
    const flood = () => {
      while (!socket.destroyed && socket.write(resets));
    }
    socket.on('drain', flood)
    flood()
  })
  const client = openTestFetcher({ insecure: true })
  expect((await client.get({ url: `${url}/a`, maxBody: ENOUGH })).status).toBe(200)
  expect(await ended.promise).toBeLessThan(SOON)
})
