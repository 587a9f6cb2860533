import { constants } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { TlsSessions } from '../../../../src/fetch/http/connections/tls-sessions.ts'
import { collect } from '../../../../src/runtime/collect-garbage.ts'
import { selfSigned } from '../../../support/certificates.ts'
import { serveTls } from '../../../support/serve-tls.ts'
import { openTestFetcher } from '../../open-test-fetcher.ts'

describe('a TLS session', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'of %s is resumed by each later connection, even after a garbage collection',
    async (version) => {
      const server = await serveTls({
        ...{ ...(await selfSigned()), minVersion: version, maxVersion: version },
        answer: (_, response) => response.setHeader('connection', 'close').end('x'),
      })
      const client = openTestFetcher({ insecure: true })
      for (let n = 0; n < 5; n++) {
        await client.get({ url: `${server.url}/`, maxBody: 10 })
        collect({ type: 'major' })
      }
      expect(server.resumed).toEqual([false, true, true, true, true])
    },
  )

  it('is no longer offered to a server that refuses its own sessions, and no request fails', async () => {
    const { server, url, resumed } = await serveTls({
      ...{ ...(await selfSigned()), maxVersion: 'TLSv1.2' },
      secureOptions: constants.SSL_OP_NO_TICKET,
      answer: (_, response) => response.setHeader('connection', 'close').end('x'),
    })
    const issued = new Set<string>()
    let refused = 0
    server
      .on('newSession', (id, _, done) => {
        issued.add(id.toString('hex'))
        done()
      })
      .on('resumeSession', (id, done) => {
        // The first connection has an identifier, too, only because TLS 1.3 wants one.
        const isIssued = issued.has(id.toString('hex'))
        done(isIssued ? new Error(`refusal ${++refused}`) : null, null)
      })
    const client = openTestFetcher({ insecure: true })
    for (let n = 0; n < 3; n++) await client.get({ url: `${url}/`, maxBody: 10 })
    expect({ refused, resumed }).toEqual({ refused: 1, resumed: [false, false, false] })
  })
})

describe('stored TLS sessions', () => {
  it('are limited in total size, and the latest ones are kept', () => {
    const sessions = new TlsSessions(3_000)
    for (const server of ['a', 'b', 'c', 'a', 'd']) sessions.keep(server, Buffer.alloc(1_000))
    const kept = ['a', 'b', 'c', 'd'].filter((server) => sessions.get(server) !== undefined)
    expect(kept).toEqual(['a', 'c', 'd'])
  })

  it("are copied out of Node's shared buffers of 64 KiB", () => {
    const sessions = new TlsSessions()
    const shared = Buffer.alloc(65_536, 'x')
    sessions.keep('a', shared.subarray(100, 1_100))
    expect(sessions.get('a')).toEqual(Buffer.alloc(1_000, 'x'))
    expect(sessions.get('a')?.buffer.byteLength).toBe(1_000)
  })

  it('that are large are not kept, nor are those that they replace', () => {
    const sessions = new TlsSessions()
    sessions.keep('a', Buffer.alloc(1_000))
    sessions.keep('a', Buffer.alloc(20_000))
    expect([sessions.get('a'), sessions.size]).toEqual([undefined, 0])
  })
})
