import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type LookupFunction, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SeedHosts } from '../../../src/fetch/addresses/seed-hosts.ts'
import {
  guardedConnector,
  plainConnector,
} from '../../../src/fetch/http/connections/direct-connector.ts'
import { sharedReads } from '../../../src/fetch/http/connections/shared-read-buffer.ts'
import { tlsContexts } from '../../../src/fetch/http/connections/tls-contexts.ts'
import { RobotsFetcher } from '../../../src/fetch-worker/robots-fetcher.ts'
import { selfSigned } from '../../support/certificates.ts'
import { listen } from '../../support/listen.ts'
import { serveRaw } from '../../support/serve.ts'
import { ENOUGH, openTestFetcher } from '../open-test-fetcher.ts'

/** An address with a public prefix that belongs to nobody: the 6bone returned it (RFC 3701). No packet arrives. */
const NOBODY = { address: '3ffe::1', family: 6 }
const LOOPBACK = { address: '127.0.0.1', family: 4 }
const REFUSED = { code: 'private-address', isTransient: false }

function serveOk() {
  return serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
}

/** Returns a resolver that gives one reply after the other, and repeats the last one. */
function answering(...answers: readonly (readonly LookupAddress[])[]) {
  let requested = 0
  return async () => answers[Math.min(requested++, answers.length - 1)] ?? []
}

/** A short timeout for connections that lead nowhere. */
const connectTimeout = 300

const guarded = (options: Parameters<typeof openTestFetcher>[0] = {}) =>
  openTestFetcher({ allowPrivate: false, ...options })

describe('a host that is no seed', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '169.254.169.254'])(
    'is refused when the URL names the private address %s',
    async (host) => {
      await expect(
        guarded().get({ url: `http://${host}:8009/`, maxBody: ENOUGH }),
      ).rejects.toMatchObject(REFUSED)
      await expect(
        guarded().get({ url: `https://${host}:8009/`, maxBody: ENOUGH }),
      ).rejects.toMatchObject(REFUSED)
    },
  )

  it('is refused if its name resolves to a private address, without a connection', async () => {
    const server = await serveOk()
    const client = guarded({ resolver: answering([LOOPBACK]) })
    await expect(
      client.get({ url: `http://site.test:${server.port}/`, maxBody: ENOUGH }),
    ).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('site.test, which is at 127.0.0.1, is not public'),
    })
    await expect(
      client.get({ url: `https://site.test:${server.port}/`, maxBody: ENOUGH }),
    ).rejects.toMatchObject(REFUSED)
    expect(server.connections).toBe(0)
  })

  it("is refused by the system's resolver, too", async () => {
    const server = await serveOk()
    await expect(
      guarded().get({ url: `http://localhost:${server.port}/`, maxBody: ENOUGH }),
    ).rejects.toMatchObject(REFUSED)
    expect(server.connections).toBe(0)
  })

  it('is refused if its name turns private after a public reply', async () => {
    const server = await serveOk()
    const client = guarded({ connectTimeout, resolver: answering([NOBODY], [LOOPBACK]) })
    const get = () => client.get({ url: `http://rebinding.test:${server.port}/`, maxBody: ENOUGH })
    await expect(get()).rejects.not.toMatchObject({ code: 'private-address' })
    await expect(get()).rejects.toMatchObject(REFUSED)
    expect(server.connections).toBe(0)
  })

  it('is connected to at its public addresses only, if others are private', async () => {
    const server = await serveOk()
    const client = guarded({ connectTimeout, resolver: answering([LOOPBACK, NOBODY]) })
    const answer = client.get({ url: `http://mixed.test:${server.port}/`, maxBody: ENOUGH })
    await expect(answer).rejects.not.toMatchObject({ code: 'private-address' })
    expect(server.connections).toBe(0)
  })

  it('is refused its robots.txt, too', async () => {
    const server = await serveOk()
    const client = guarded({ resolver: answering([LOOPBACK]) })
    const robots = new RobotsFetcher(client, 'orbweaver', 0)
    const origin = `http://site.test:${server.port}`
    const { reply } = await robots.fetch({ origin, url: `${origin}/robots.txt` })
    expect(reply).toMatchObject({
      access: 'disallow-all',
      error: 'private-address',
      reason: expect.stringContaining('is not public'),
    })
    expect(server.connections).toBe(0)
  })

  it('is allowed with --allow-private', async () => {
    const { port } = await serveOk()
    const client = guarded({ allowPrivate: true, resolver: answering([LOOPBACK]) })
    expect(await client.get({ url: `http://site.test:${port}/`, maxBody: ENOUGH })).toMatchObject({
      status: 200,
    })
  })
})

describe('a seed', () => {
  it('is allowed if its host is private, by address or by name', async () => {
    const { port } = await serveOk()
    const seedHosts = SeedHosts.allocate([`127.0.0.1:${port}`, `intra.test:${port}`])
    const client = guarded({ seedHosts, resolver: answering([LOOPBACK]) })
    for (const host of ['127.0.0.1', 'intra.test']) {
      expect(await client.get({ url: `http://${host}:${port}/`, maxBody: ENOUGH })).toMatchObject({
        status: 200,
      })
    }
  })

  it('is allowed by https, too', async () => {
    const server = await serveRaw(
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
      await selfSigned(),
    )
    const seedHosts = SeedHosts.allocate([`intra.test:${server.port}`])
    const client = guarded({ seedHosts, insecure: true, resolver: answering([LOOPBACK]) })
    const answer = await client.get({ url: `https://intra.test:${server.port}/`, maxBody: ENOUGH })
    expect(answer).toMatchObject({ status: 200 })
  })

  it('that was private at first is not connected to at a later public address', async () => {
    const server = await serveOk()
    const place = `intra.test:${server.port}`
    const seedHosts = SeedHosts.allocate([place])
    const resolver = answering([LOOPBACK], [LOOPBACK], [NOBODY])
    const client = guarded({ seedHosts, resolver })
    // The server closes connections, so each request resolves the name anew.
    expect(await client.get({ url: `http://${place}/`, maxBody: ENOUGH })).toMatchObject({
      status: 200,
    })
    await expect(client.get({ url: `http://${place}/`, maxBody: ENOUGH })).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('was private when it was first looked up'),
    })
  })

  it("doesn't allow the default port of the other scheme", async () => {
    const seedHosts = SeedHosts.allocate(['intra.test:80'])
    const client = guarded({
      seedHosts,
      resolver: answering([{ ...LOOPBACK, address: '127.7.7.7' }]),
    })
    const code = (url: string) => client.get({ url, maxBody: ENOUGH }).catch((error) => error.code)
    expect(await code('http://intra.test/')).toBe('connection-refused')
    expect(await code('https://intra.test/')).toBe('private-address')
  })

  it('allows no other port and no other host', async () => {
    const [ours, other] = await Promise.all([serveOk(), serveOk()])
    const seedHosts = SeedHosts.allocate([`127.0.0.1:${ours.port}`])
    const client = guarded({ seedHosts })
    await client.get({ url: `${ours.url}/`, maxBody: ENOUGH })
    await expect(client.get({ url: `${other.url}/`, maxBody: ENOUGH })).rejects.toMatchObject(
      REFUSED,
    )
    expect(other.connections).toBe(0)
  })

  it('that was public at first is refused when it turns private, in every worker', async () => {
    const server = await serveOk()
    const seedHosts = SeedHosts.allocate([`rebinding.test:${server.port}`])
    const url = `http://rebinding.test:${server.port}/`
    const resolver = answering([NOBODY], [NOBODY], [LOOPBACK])
    const first = guarded({ connectTimeout, seedHosts, resolver })
    const second = guarded({ seedHosts, resolver: answering([LOOPBACK]) })
    await expect(first.get({ url, maxBody: ENOUGH })).rejects.not.toMatchObject({
      code: 'private-address',
    })
    await expect(first.get({ url, maxBody: ENOUGH })).rejects.toMatchObject(REFUSED)
    await expect(second.get({ url, maxBody: ENOUGH })).rejects.toMatchObject(REFUSED)
    expect(server.connections).toBe(0)
  })
})

describe('a socket that connects to another address than the lookup returned', () => {
  it.each([
    ['http:', 'a stream'],
    ['https:', 'a stream'],
    ['http:', 'the shared buffer'],
    ['https:', 'the shared buffer'],
  ])('is closed before a byte is sent over %s, read into %s', async (protocol, way) => {
    const bytes: Buffer[] = []
    const server = createServer((socket) => socket.on('data', (chunk) => bytes.push(chunk)))
    const port = await listen(server)
    onTestFinished(() => void server.close())
    const astray: LookupFunction = (_, __, callback) => callback(null, [LOOPBACK])
    const options = { tls: tlsContexts({}, []), timeout: 60_000, insecure: true, http2: false }
    const plain = (sockets = {}) => plainConnector(options, { lookup: astray, ...sockets })
    const open = way === 'a stream' ? plain() : sharedReads((onread) => plain({ onread }))
    const connect = guardedConnector(open, 'public')
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const accepted = once(server, 'connection')
    connect({ hostname: 'public.test', protocol, port: `${port}` }, (...result) =>
      resolve(result[0]),
    )
    expect(await promise).toMatchObject(REFUSED)
    const [socket]: Socket[] = await accepted
    if (socket?.closed === false) await once(socket, 'close')
    expect(bytes).toEqual([])
  })
})
