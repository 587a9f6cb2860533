import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { RawResponse } from '../../../../src/fetch/raw-response.ts'
import { RequestLimits } from '../../../../src/throttle/request-limits.ts'
import { selfSigned } from '../../../support/certificates.ts'
import { serveRaw } from '../../../support/serve.ts'
import { openTestFetcher } from '../../open-test-fetcher.ts'

/** Serves the pieces, each in a packet of its own. */
function servePieces(pieces: readonly string[]) {
  return serveRaw(async (socket) => {
    socket.setNoDelay(true)
    for (const piece of pieces) {
      socket.write(piece)
      await sleep(30)
    }
  })
}

it.each([
  [
    [
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n',
      'X-Far: aaaa\r\nContent-Length: 2\r\n\r\nok',
    ],
  ],
  [
    [
      'HTTP/1.1 200 OK\r\nContent-Type: text/',
      'html\r\nX-Far: aa',
      'aa\r\nContent-Length: 2\r\n\r\nok',
    ],
  ],
  [
    [
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Far: aaaa\r\n',
      'Content-Length: 2\r\n\r\n',
      'ok',
    ],
  ],
])('a header in several reads is complete: %j', async (pieces) => {
  const { url } = await servePieces(pieces)
  const client = openTestFetcher({})
  const response = await client.get({ url: `${url}/`, maxBody: 1_000 })
  expect(response.headers).toEqual({
    'content-type': 'text/html',
    'x-far': 'aaaa',
    'content-length': '2',
  })
  expect(response.body?.toString()).toBe('ok')
})

it('an archive has the header as received, even after the connection reads more', async () => {
  const body = 'b'.repeat(200)
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n`
  const { url } = await servePieces([head, body])
  const fields: string[] = []
  const archive = (_: string, __: unknown, response: RawResponse) => {
    fields.push(...(response.head?.fields ?? []).map(String))
    throw new Error('it was seen')
  }
  const client = openTestFetcher({ archive })
  await expect(client.get({ url: `${url}/`, maxBody: 1_000 })).rejects.toThrow('it was seen')
  expect(fields).toEqual(['Content-Type', 'text/html', 'Content-Length', '200'])
})

it.each(['http', 'https'])(
  'a body over %s is complete after reading was paused',
  async (scheme) => {
    const body = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * 7) % 251))
    const certificate = scheme === 'https' ? await selfSigned() : undefined
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`
    const { url } = await serveRaw((socket) => {
      socket.write(head)
      socket.write(body)
    }, certificate)
    const bandwidth = { bandwidth: 1_000_000 }
    const limits = RequestLimits.open(RequestLimits.allocate(bandwidth, 1, false), bandwidth, 1)
    const client = openTestFetcher({ insecure: true, limits })
    const since = performance.now()
    const response = await client.get({ url: `${url}/`, maxBody: 1_000_000, keepBody: true })
    expect(performance.now() - since).toBeGreaterThan(300)
    expect(response.body?.equals(body)).toBe(true)
  },
)
