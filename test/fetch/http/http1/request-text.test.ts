import { describe, expect, it } from 'vitest'
import { requestText } from '../../../../src/fetch/http/http1/request-text.ts'
import { serve } from '../../../support/serve.ts'
import { openTestPool } from './open-test-pool.ts'
import { getFrom, requestTo } from './recorded-response.ts'

const ORIGIN = 'http://a.test:81'
const textOf = (request: Parameters<typeof requestTo>[1]) => requestText(requestTo(ORIGIN, request))

describe('a request', () => {
  it('has its target, its host, and its headers in order', () => {
    const headers = { 'user-agent': 'me', accept: '*/*' }
    expect(textOf({ path: '/a?b', headers })).toBe(
      'GET /a?b HTTP/1.1\r\nhost: a.test:81\r\nconnection: keep-alive\r\nuser-agent: me\r\naccept: */*\r\n\r\n',
    )
  })

  it.each([{ isFresh: true }, { method: 'HEAD' as const }])(
    'announces that it closes the connection: %j',
    (request) => {
      expect(textOf(request)).toContain('\r\nconnection: close\r\n')
    },
  )

  it('has no body if that is null', () => {
    expect(textOf({ isFresh: true })).toBe(
      'GET / HTTP/1.1\r\nhost: a.test:81\r\nconnection: close\r\n\r\n',
    )
  })

  it('names another host if a header sets it', () => {
    expect(textOf({ headers: { host: 'b.test' } })).toBe(
      'GET / HTTP/1.1\r\nconnection: keep-alive\r\nhost: b.test\r\n\r\n',
    )
  })

  it.each([
    ['', 0],
    ['a=b', 3],
  ])('has a Content-Length for its body: %j', (body, length) => {
    expect(textOf({ method: 'POST', body })).toMatch(
      new RegExp(`\r\ncontent-length: ${length}\r\n\r\n${body}$`),
    )
  })

  it('has a body in UTF-8, with its length in bytes', async () => {
    const received: string[] = []
    const { url } = await serve(async (request, response) => {
      for await (const bytes of request) received.push(String(bytes))
      received.push(request.headers['content-length'] ?? '')
      response.end()
    })
    const { pool } = openTestPool()
    await getFrom(pool, url, { method: 'POST', body: 'a=€é', isFresh: true })
    expect(received).toEqual(['a=€é', '7'])
  })

  it('may have header values with bytes beyond ASCII', () => {
    expect(textOf({ headers: { 'x-a': 'caf\xe9\t1' } })).toContain('\r\nx-a: caf\xe9\t1\r\n')
  })

  it('is validated even if an earlier request had the same headers', () => {
    const headers = { 'x-a': 'b' }
    expect(textOf({ headers })).toBe(textOf({ headers }))
    const bad = { 'x-a': 'b\r\nx-b: c' }
    for (let i = 0; i < 2; i++) expect(() => textOf({ headers: bad })).toThrow('invalid header x-a')
  })
})

describe('a line ending in a request', () => {
  const ENDS = [
    '\r',
    '\n',
    '\r\n',
    '\0',
    '\r\nx-b: c\r\n\r\nGET /other HTTP/1.1',
    '\u0100',
    '\u010d\u010a',
  ]

  it.each(ENDS)('is refused in a header value: %j', (end) => {
    for (const value of [`a${end}b`, end, `a${end}`]) {
      expect(() => textOf({ headers: { 'x-a': value } })).toThrow('invalid header')
      expect(() => textOf({ headers: { host: value } })).toThrow('invalid header')
    }
  })

  it.each([...ENDS, ' ', ':', '', 'é', '\t', '(', '"'])(
    'is refused in a header name: %j',
    (end) => {
      for (const name of end === '' ? [''] : [`x${end}`, `${end}x`, `x${end}y`]) {
        expect(() => textOf({ headers: { [name]: 'b' } })).toThrow('invalid header')
      }
    },
  )

  it.each([...ENDS, ' ', '\t', '\x7f', 'é'])('is refused in the path or the origin: %j', (end) => {
    for (const text of [`/a${end}b`, `/a${end}`, `${end}/a`]) {
      expect(() => textOf({ path: text })).toThrow('invalid request path')
      expect(() => requestText(requestTo(`http://a.test${text}`))).toThrow('invalid request origin')
    }
  })

  it('is refused in the method', () => {
    for (const method of ['GET /other HTTP/1.1\r\nx:', 'GET\n', 'G T', '']) {
      const request = { ...requestTo(ORIGIN), method: method as 'GET' }
      expect(() => requestText(request)).toThrow('invalid request method')
    }
  })

  it('is not needed to refuse an empty target', () => {
    expect(() => textOf({ path: '' })).toThrow('invalid request path')
  })
})

it.each(['Connection', 'content-length', 'Transfer-Encoding', 'expect', 'upgrade', 'Keep-Alive'])(
  'a header that sets the end of a request is refused: %s',
  (name) => {
    expect(() => textOf({ headers: { [name]: '5' } })).toThrow(`invalid header ${name}`)
  },
)
