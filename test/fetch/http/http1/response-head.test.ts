import { describe, expect, it } from 'vitest'
import { fieldsOf, parseResponseHead } from '../../../../src/fetch/http/http1/response-head.ts'
import { heapBytes } from '../../../support/heap-bytes.ts'

const parse = (...lines: readonly string[]) =>
  parseResponseHead(['HTTP/1.1 200 OK', ...lines].join('\r\n'), false)

const invalid = expect.objectContaining({ code: 'invalid-response' })

describe('the status line', () => {
  it.each([
    ['HTTP/1.1 200 OK', 200, 'OK'],
    ['HTTP/1.0 404 Not Found', 404, 'Not Found'],
    ['HTTP/1.1 200', 200, ''],
    ['HTTP/1.1 200 ', 200, ''],
    ['HTTP/1.1 299 caf\xe9\t!', 299, 'caf\xe9\t!'],
    ['HTTP/1.1 999 Odd', 999, 'Odd'],
    ['HTTP/1.1 200 a\0b\rc', 200, 'a b c'],
  ])('has a status and a reason: %j', (line, status, reason) => {
    expect(parseResponseHead(line, false)).toMatchObject({ status, reason, headers: {} })
  })

  it.each([
    '',
    'HTTP/1.1',
    'HTTP/1.1 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000',
    'HTTP/1.1 2x0',
    'HTTP/1.1  200',
    'HTTP/1.1\t200',
    'HTTP/1.1 200OK',
    'HTTP/1.1 +20',
    'HTTP/1.2 200',
    'HTTP/2.0 200',
    'HTTP/11 200',
    'http/1.1 200',
    ' HTTP/1.1 200',
    'HTTP/1.1 ２00',
  ])('is refused: %j', (line) => {
    expect(() => parseResponseHead(line, false)).toThrow(invalid)
  })
})

describe('the header', () => {
  it('has values by name in lower case, without white space around them', () => {
    expect(parse('X-A:b', 'x-b: \t c d \t', 'X-C:', 'X-D: a:b').headers).toEqual({
      ...{ 'x-a': 'b', 'x-b': 'c d', 'x-c': '', 'x-d': 'a:b' },
    })
  })

  it('has a list for a repeated name', () => {
    expect(parse('A: 1', 'a: 2', 'B: 3', 'A: 3').headers).toEqual({ a: ['1', '2', '3'], b: '3' })
  })

  it('may have names of object properties, without changing those', () => {
    const { headers } = parse(
      'constructor: a',
      '__proto__: b',
      'toString: c',
      '__PROTO__: d',
      '__proto__: e',
    )
    expect(Object.entries(headers)).toEqual([
      ['constructor', 'a'],
      ['__proto__', ['b', 'd', 'e']],
      ['tostring', 'c'],
    ])
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
    expect(Object.hasOwn(Object.prototype, 'b')).toBe(false)
  })

  it('has its fields as received, without folded lines', () => {
    const head = parse('X-A:  b ', 'x-a: c\r\n d', 'Set-Cookie: e=f')
    expect(fieldsOf(head)).toEqual(['X-A', 'b', 'x-a', 'c d', 'Set-Cookie', 'e=f'])
  })

  it('may have lines that end with LF only', () => {
    expect(parseResponseHead('HTTP/1.1 200 OK\nA: b\r\nC: d', false).headers).toEqual({
      a: 'b',
      c: 'd',
    })
  })

  it('has up to 1,000 folded lines', () => {
    expect(parse(`A: b${'\r\n c'.repeat(1_000)}`).headers['a']).toHaveLength(2_001)
    expect(() => parse(`A: b${'\r\n c'.repeat(1_001)}`)).toThrow(
      expect.objectContaining({ code: 'header-too-large' }),
    )
  })

  it.each(['no colon', ': no name', 'X Y: z', '(x): y', 'X\xe9: y', 'X\0Y: z', 'X\xa0: y', ''])(
    'may have the line %j, which is ignored since it is no field',
    (line) => {
      const head = parse('A: b', line, 'C: d')
      expect(head.headers).toEqual({ a: 'b', c: 'd' })
      expect(fieldsOf(head)).toEqual(['A', 'b', 'C', 'd'])
    },
  )

  it('may have white space after names', () => {
    const head = parse('X : y', 'Content-Length\t: 5')
    expect(head).toMatchObject({ headers: { x: 'y', 'content-length': '5' }, bodyEnd: 5 })
    expect(fieldsOf(head)).toEqual(['X', 'y', 'Content-Length', '5'])
  })

  it('has spaces instead of control characters', () => {
    const lines = ['A: a\0b', 'B: a\x7f', 'C: \x1b[0m', 'D: a\rb', 'E: a\r', 'F: \u0100']
    expect(parse(...lines).headers).toEqual({ a: 'a b', b: 'a', c: '[0m', d: 'a b', e: 'a', f: '' })
  })

  it('is refused if it begins with white space', () => {
    expect(() => parse(' folded: status line')).toThrow(invalid)
  })

  it('keeps no memory after parsing, for long and many names', () => {
    const before = heapBytes()
    for (let i = 0; i < 100; i++)
      parse(`X-${'n'.repeat(60_000)}-${i}: a`, `Y-${i}: ${'v'.repeat(60_000)}`)
    // V8 keeps the shapes of objects, and with them names of properties, for a few collections.
    let kept = Number.POSITIVE_INFINITY
    for (let i = 0; i < 8 && kept >= 1_000_000; i++) kept = heapBytes() - before
    expect(kept).toBeLessThan(1_000_000)
  })

  it('tells where the body ends, and how long the connection is kept', () => {
    expect(parse('Content-Length: 5', 'Keep-Alive: timeout=4')).toMatchObject({
      ...{ bodyEnd: 5, keepAliveMs: 2_000 },
    })
    expect(parse('Transfer-Encoding: chunked', 'Connection: close')).toMatchObject({
      ...{ bodyEnd: 'last-chunk', keepAliveMs: 0 },
    })
    expect(parseResponseHead('HTTP/1.1 200 OK\r\nContent-Length: 5', true)).toMatchObject({
      bodyEnd: 0,
    })
  })
})
