import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../src/fetch/http/network-failure.ts'
import { selfSigned } from '../../support/certificates.ts'
import { freePort } from '../../support/listen.ts'
import { serve, serveRaw } from '../../support/serve.ts'
import { ENOUGH, openTestFetcher } from '../open-test-fetcher.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const HALF = `${OK}Content-Length: 100\r\n\r\nonly this`
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`

const get = (url: string, timeout = 60_000) =>
  openTestFetcher({ timeout }).get({ url: `${url}/`, maxBody: ENOUGH })

describe('the failure of a request', () => {
  it('is connection-refused if nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    await expect(get(url)).rejects.toMatchObject({ code: 'connection-refused', isTransient: true })
  })

  it.each(['EREMOTEIO', 'UNKNOWN', 'Unknown system error -126'])(
    'is connection-failed, and transient, for an error of the system with the code %s',
    (code) => {
      const error = Object.assign(new Error(`connect ${code} 192.0.2.1:80`), { code })
      expect(failureOf(error)).toMatchObject({ code: 'connection-failed', isTransient: true })
    },
  )

  it("is dns-failure if the name doesn't exist", async () => {
    const failure = { name: 'FetchFailure', code: 'dns-failure' }
    await expect(get('http://nonexistent.invalid')).rejects.toMatchObject(failure)
  })

  it.each<[string, (socket: Socket) => unknown]>([
    ['the connection ends before a response', (socket) => socket.destroy()],
    ['the connection is reset before a response', (socket) => socket.resetAndDestroy()],
    ['the connection ends in the middle of a body', (socket) => socket.end(HALF)],
    [
      'the connection is reset in the middle of a body',
      async (socket) => {
        socket.write(HALF)
        await sleep(50)
        socket.resetAndDestroy()
      },
    ],
    ['a chunked body lacks its end', (socket) => socket.end(`${CHUNKED}5\r\nhello\r\n`)],
  ])('is connection-reset if %s', async (_, respond) => {
    const { url } = await serveRaw(respond)
    await expect(get(url)).rejects.toMatchObject({ code: 'connection-reset', isTransient: true })
  })

  it.each<[string, (socket: Socket) => unknown]>([
    ['no header arrives', () => {}],
    ['a body stops arriving', (socket) => socket.write(HALF)],
    [
      'a body arrives slowly for longer than the timeout',
      (socket) => {
        socket.write(`${OK}Content-Length: 100000\r\n\r\n`)
        const drip = setInterval(() => socket.write('x'), 10)
        socket.on('close', () => clearInterval(drip))
      },
    ],
  ])('is timeout if %s', async (_, respond) => {
    const { url } = await serveRaw(respond)
    await expect(get(url, 300)).rejects.toMatchObject({ code: 'timeout', isTransient: true })
  })

  it('is timeout if a TLS handshake gets no response', async () => {
    const { port } = await serveRaw(() => {})
    const answer = get(`https://127.0.0.1:${port}`, 150)
    await expect(answer).rejects.toMatchObject({ code: 'timeout', isTransient: true })
  })

  it.each([
    ["status line isn't HTTP", 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['status line has no number', 'HTTP/1.1 OK\r\n\r\n'],
    ['status line names an unknown version', 'HTTP/7.3 200 OK\r\n\r\n'],
    ['header has two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    [
      'header switches to another protocol without a request',
      'HTTP/1.1 101 Switching\r\nUpgrade: irc\r\n\r\nhello',
    ],
  ])('is invalid-response if the %s', async (_, bytes) => {
    const { url } = await serveRaw((socket) => socket.end(bytes))
    await expect(get(url)).rejects.toMatchObject({ code: 'invalid-response', isTransient: false })
  })

  it('is invalid-response if a chunk has no length', async () => {
    const { url } = await serveRaw((socket) => socket.end(`${CHUNKED}zz\r\nhello\r\n0\r\n\r\n`))
    const failure = { code: 'invalid-response', isTransient: false, status: 200 }
    expect(await get(url)).toMatchObject({ failure, truncated: true })
  })

  it("is header-too-large if a header doesn't end", async () => {
    const { url } = await serveRaw((socket) => {
      socket.write(`${OK}${'X-Filler: spam and eggs\r\n'.repeat(10_000)}`)
    })
    await expect(get(url)).rejects.toMatchObject({ code: 'header-too-large', isTransient: false })
  })

  it('is tls-failure if the certificate is not trusted', async () => {
    const server = await serveRaw(hello, await selfSigned())
    await expect(get(server.url)).rejects.toMatchObject({ code: 'tls-failure', isTransient: false })
  })

  it('is avoided for any certificate with --insecure', async () => {
    const server = await serveRaw(hello, await selfSigned())
    const answer = await openTestFetcher({ insecure: true }).get({
      url: `${server.url}/`,
      maxBody: ENOUGH,
      keepBody: true,
    })
    expect(answer.body?.toString()).toBe('hello')
  })

  it("is tls-failure if the server doesn't speak TLS", async () => {
    const server = await serve((_, response) => void response.end('plain'))
    const answer = get(server.url.replace('http:', 'https:'))
    await expect(answer).rejects.toMatchObject({
      ...{ code: 'tls-failure', isTransient: false },
      // OpenSSL's message differs between threads, and names lines of its source.
      message:
        'the TLS handshake failed: wrong version number (ERR_SSL_WRONG_VERSION_NUMBER); the port may serve http instead',
    })
  })
})

describe('failureOf', () => {
  it('describes the first of several attempts to connect', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' })
    expect(failureOf(new AggregateError([refused, new Error('other')]))).toMatchObject({
      code: 'connection-refused',
      message: 'connect ECONNREFUSED ::1:1',
    })
  })

  it.each([
    ['ENOTFOUND', 'there is no host named a.test (ENOTFOUND)'],
    ['EAI_AGAIN', "a.test can't be looked up now (EAI_AGAIN)"],
  ])('explains %s of the resolver', (code, message) => {
    const error = new Error(`getaddrinfo ${code} a.test`)
    expect(failureOf(Object.assign(error, { code, hostname: 'a.test' })).message).toBe(message)
  })

  it('explains an error of another realm, such as those of Node in Jest', () => {
    const about = "{ code: 'ENOTFOUND', hostname: 'a.test' }"
    const error: unknown = runInNewContext(`Object.assign(new Error('why'), ${about})`)
    expect(failureOf(error).message).toBe('there is no host named a.test (ENOTFOUND)')
  })

  it.each([
    ['EAI_AGAIN', 'dns-failure', true],
    ['ENOTFOUND', 'dns-failure', false],
    ['ETIMEDOUT', 'timeout', true],
    ['EHOSTUNREACH', 'connection-failed', true],
    ['ENETUNREACH', 'connection-failed', true],
    ['SOMETHING_NEW', 'internal', false],
  ])('translates %s', (code, expected, isTransient) => {
    const failure = failureOf(Object.assign(new Error('why'), { code }))
    expect(failure).toMatchObject({ code: expected, isTransient, message: 'why' })
  })

  it('has at most 500 characters of a message that quotes the server', () => {
    const { message } = failureOf(new Error('long '.repeat(10_000)))
    expect(message).toBe(`${'long '.repeat(100)}…`)
  })

  it('mentions --cacert for an unknown authority, and no option of Node', () => {
    const code = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
    const text = 'unable to verify the first certificate; if the root CA is installed, try Node'
    expect(failureOf(Object.assign(new Error(text), { code }))).toMatchObject({
      ...{ code: 'tls-failure', isTransient: false },
      message:
        'unable to verify the first certificate; --cacert trusts an authority, --insecure accepts any certificate',
    })
  })

  it.each([
    ['tlsv1 alert protocol version', '; the server may support only old versions of TLS'],
    ['tlsv13 alert certificate required', '; --cert shows a client certificate'],
    ['tlsv1 alert internal error', ''],
  ])('says what helps against the alert "%s"', (reason, hint) => {
    const text = `80BB:error:0A00045C:SSL routines:ssl3_read_bytes:${reason}:../ssl/record.c:907:\n`
    const error = Object.assign(new Error(text), { code: 'ERR_SSL_X' })
    expect(failureOf(error)).toMatchObject({
      code: 'tls-failure',
      message: `the TLS handshake failed: ${reason} (ERR_SSL_X)${hint}`,
    })
  })

  it.each([
    ['CERT_HAS_EXPIRED', 'certificate has expired', 'certificate has expired'],
    ['INVALID_PURPOSE', 'unsuitable certificate purpose', 'unsuitable certificate purpose'],
    ['PATH_LENGTH_EXCEEDED', 'path length constraint exceeded', 'path length constraint exceeded'],
    ['INVALID_CA', 'invalid CA certificate', 'invalid CA certificate'],
    ['UNSPECIFIED', 'EE certificate key too weak', 'EE certificate key too weak'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      "IP: 127.0.0.1 is not in the cert's list: ",
      "IP: 127.0.0.1 is not in the cert's list",
    ],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      `Host: a. is not in the cert's altnames: ${'DNS:b.test, '.repeat(9_000)}`,
      `Host: a. is not in the cert's altnames: ${'DNS:b.test, '.repeat(21)}DNS:b.te…`,
    ],
  ])('mentions the option that helps with %s', (code, text, shown) => {
    expect(failureOf(Object.assign(new Error(text), { code }))).toMatchObject({
      ...{ code: 'tls-failure', isTransient: false },
      message: `${shown}; --insecure accepts any certificate`,
    })
  })
})

function hello(socket: Socket): void {
  socket.write(`${OK}Content-Length: 5\r\n\r\nhello`)
}
