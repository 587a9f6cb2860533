import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { archiveExchange } from '../../src/warc/archive-exchange.ts'
import { ENOUGH, openTestFetcher } from '../fetch/open-test-fetcher.ts'
import { serveRaw } from '../support/serve.ts'

/** Returns the archived records of an exchange in which a server sends these bytes. */
async function archived(answer: Buffer, maxBody = ENOUGH, headers = {}, request = {}) {
  const server = await serveRaw((socket) => socket.end(answer))
  const secrets = { authorizations: { [server.url]: 'Basic c2VjcmV0' } }
  const own = { headers, headerOrigins: [server.url] }
  const client = openTestFetcher({ archive: archiveExchange, ...own, ...secrets })
  const { exchange } = await client.get({ url: `${server.url}/a?b`, maxBody, ...request })
  if (exchange === undefined) throw new Error('nothing was archived')
  const parts = (record: Uint8Array) => gunzipSync(record).toString('latin1').split('\r\n\r\n')
  const [fields = '', head = '', body = ''] = parts(exchange.response)
  return { server, exchange, fields, head, body, request: parts(exchange.request) }
}

const gzipped = gzipSync('<title>page</title>')
const http = (...lines: (string | Buffer)[]) =>
  Buffer.concat(lines.map((line) => (typeof line === 'string' ? Buffer.from(`${line}\r\n`) : line)))

describe('an archived response', () => {
  it('has its header and its encoded body as received', async () => {
    const head = [
      ...['HTTP/1.1 200 Fine by me', 'content-TYPE: text/html', 'Set-Cookie: a=1', 'X-Empty:'],
      ...['Set-Cookie: b=\u00e9', 'Content-Encoding: gzip', `Content-Length: ${gzipped.length}`],
    ]
    const sent = http(...head, '', gzipped)
    const { head: kept, body, fields } = await archived(sent)
    expect(kept).toBe(
      head.join('\r\n').replace('X-Empty:', 'X-Empty: ').replace('\u00e9', '\u00c3\u00a9'),
    )
    expect(body).toBe(gzipped.toString('latin1'))
    expect(fields).not.toContain('Truncated')
  })

  it('has no transfer coding, and its header says so', async () => {
    const head = ['HTTP/1.1 200 OK', 'Content-Type: text/css', 'Transfer-Encoding: chunked']
    const { head: kept, body } = await archived(http(...head, '', '3', 'one', '3', 'two', '0', ''))
    expect(kept).toBe(head.join('\r\n').replace('Transfer', 'X-Orig-Transfer'))
    expect(body).toBe('onetwo')
  })

  it('reports that it broke off', async () => {
    const answer = http('HTTP/1.1 200 OK', 'Content-Length: 9', '', Buffer.from('half'))
    const { body, fields, exchange } = await archived(answer, ENOUGH, {}, { mayRetry: false })
    expect(body).toBe('half')
    expect(fields).toContain('WARC-Truncated: disconnect')
    expect(exchange.isWhole).toBe(false)
  })

  it('reports that it was truncated', async () => {
    const { body, fields, exchange } = await archived(
      http('HTTP/1.1 200 OK', 'Content-Length: 8', '', Buffer.from('too long')),
      3,
    )
    expect(body).toBe('too')
    expect(fields).toContain('\r\nWARC-Truncated: length\r\n')
    expect(exchange.isWhole).toBe(false)
  })

  it('has the address of the server and the time of the request, and so has the request', async () => {
    const server = await serveRaw((socket) => {
      setTimeout(() => socket.end(http('HTTP/1.1 200 OK', 'Content-Length: 0', '')), 300)
    })
    const client = openTestFetcher({ archive: archiveExchange })
    const started = Date.now()
    const { exchange } = await client.get({ url: `${server.url}/`, maxBody: ENOUGH })
    const date = Date.parse(exchange?.date ?? '')
    expect(date - started).toBeLessThan(250)
    expect(date - started).toBeGreaterThan(-100)
    for (const record of [exchange?.response, exchange?.request]) {
      const fields = gunzipSync(record ?? '').toString('latin1')
      expect(fields).toContain(`\r\nWARC-Date: ${exchange?.date}\r\n`)
      expect(fields).toContain('\r\nWARC-IP-Address: 127.0.0.1\r\n')
    }
  })

  it('does not exist for HEAD: a program would show an empty page', async () => {
    const server = await serveRaw((socket) => socket.end(http('HTTP/1.1 200 OK', '', '')))
    const client = openTestFetcher({ archive: archiveExchange })
    const response = await client.head({ url: `${server.url}/` })
    expect(response).toMatchObject({ status: 200 })
    expect(response.exchange).toBeUndefined()
  })

  it('is stored with its request, without secrets', async () => {
    const sent = http('HTTP/1.1 204 No Content', '', '')
    const { server, request, exchange } = await archived(sent, ENOUGH, {
      Cookie: 'c=1',
      'X-Own': 'may be a secret, too',
      'Accept-Language': 'de',
    })
    const [fields, head] = request
    expect(fields).toContain(`\r\nWARC-Concurrent-To: ${exchange.id}\r\n`)
    const lines = server.heads[0]?.split('\r\n') ?? []
    expect(lines).toContain('cookie: c=1')
    expect(lines).toContain('authorization: Basic c2VjcmV0')
    expect(head).toContain('\r\naccept-language: de')
    expect(head?.split('\r\n')).toEqual(
      lines.filter((line) => !/^(?:cookie|authorization|x-own):/.test(line)),
    )
  })
})
