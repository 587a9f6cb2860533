import { once } from 'node:events'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { connect as connectSecurely } from 'node:tls'
import { expect, it } from 'vitest'
import { Traffic } from '../../../../src/fetch/http/http2/traffic.ts'
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

it('a stream that is counted leaves its data to those who read it once they have the response', async () => {
  const { url } = await serveByFrames(({ socket, stream }) => socket.write(pageFrames(stream)))
  const { hostname: host, port } = new URL(url)
  const trust = { rejectUnauthorized: false, ALPNProtocols: ['h2'] }
  const socket = connectSecurely({ host, port: Number(port), ...trust })
  const session = connect(url, { createConnection: () => socket })
  const stream = session.request()
  new Traffic(session, socket, undefined).begin(stream)
  // Before Node 26, data may arrive before the event.
  expect(stream.readableFlowing).toBe(null)
  await once(stream, 'response')
  expect(await text(stream)).toBe('page')
  session.destroy()
})
