import { describe, expect, it } from 'vitest'
import { ResponseReader } from '../../../../src/fetch/http/http1/response-reader.ts'
import { piecesOf, readResponse } from './read-response.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`

/** Responses of each kind, invalid ones included. */
const RESPONSES: readonly [name: string, text: string, isHead?: boolean][] = [
  ['a length', `${OK}Content-Type: text/html\r\nContent-Length: 5\r\n\r\nhello`],
  ['no body', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['a length of 0', `${OK}Content-Length: 0\r\n\r\n`],
  ['no length', `${OK}Server: x\r\n\r\nuntil the end\r\n\r\n`],
  ['no header', 'HTTP/1.0 200\r\n\r\nuntil the end'],
  ['a response to HEAD', `${OK}Content-Length: 5\r\n\r\n`, true],
  ['chunks', `${CHUNKED}5\r\nhello\r\nA;x="y"\r\n, world 10\r\n0\r\n\r\n`],
  ['chunks and a trailer', `${CHUNKED}1 \r\nx\r\n00\r\nDigest: y\r\nOther: z\r\n\r\n`],
  ['chunks with LF alone', `${CHUNKED}5\nhello\n0\n\n`],
  ['lines with LF alone', 'HTTP/1.1 200 OK\nX: y\nContent-Length: 2\n\nok'],
  ['mixed line ends', 'HTTP/1.1 200 OK\r\nX: y\nContent-Length: 2\r\n\nok'],
  ['mixed line ends, the other way', 'HTTP/1.1 200 OK\nX: y\r\nContent-Length: 2\n\r\nok'],
  ['folds', `${OK}X: a\r\n b\r\n\tc\r\nContent-Length:\r\n 2\r\n\r\nok`],
  ['line ends before it', `\r\n\n\r\n${OK}Content-Length: 2\r\n\r\nok`],
  [
    'interim responses before it',
    `HTTP/1.1 100\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n${CHUNKED}0\r\n\r\n`,
  ],
  ['the end in its header', `${OK}Content-Le`],
  ['the end in its body', `${OK}Content-Length: 9\r\n\r\nhalf`],
  ['the end in a chunk', `${CHUNKED}9\r\nhalf`],
  ['a carriage return at the end of a line', `${OK}X: a\r\r\nContent-Length: 2\r\n\r\nok`],
  ['a carriage return at the end of the header', `${OK}Content-Length: 2\r\r\n\r\nok`],
  ['a null byte', `${OK}X: a\0b\r\nContent-Length: 2\r\n\r\nok`],
  ['no colon', `${OK}no field\r\n\r\nok`],
  ['a folded status line', `${OK} folded\r\nContent-Length: 2\r\n\r\nok`],
  ['a chunk without a size', `${CHUNKED}\r\nok`],
  ['a chunk longer than its size', `${CHUNKED}2\r\nokay\r\n0\r\n\r\n`],
  ['another protocol', '220 mail.test ESMTP\r\n'],
  ['a later version', 'HTTP/2.0 200 OK\r\n\r\n'],
]

describe.each<[string, string, boolean?]>(RESPONSES)('a response with %s', (_, text, isHead) => {
  const bytes = Buffer.from(text, 'latin1')
  const whole = readResponse([bytes], isHead)

  it('is the same in two reads, split anywhere', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const parted = readResponse(piecesOf(bytes, [cut]), isHead)
      expect({ ...parted, cut, end: typeof parted.end }).toEqual({
        ...whole,
        ...{ cut, end: typeof whole.end },
      })
    }
  })

  it('is the same byte by byte, and complete with its last byte', () => {
    const pieces = piecesOf(bytes, [...bytes.keys()])
    expect(readResponse(pieces, isHead)).toEqual(whole)
  })
})

describe('a response', () => {
  it('has a status, a header and a body', () => {
    expect(readResponse([Buffer.from(RESPONSES[0]?.[1] ?? '')])).toEqual({
      statuses: [200],
      headers: { 'content-type': 'text/html', 'content-length': '5' },
      ...{ body: 'hello', end: 68, isKept: true, refused: undefined },
    })
  })

  it.each([
    ['chunks', 'hello, world 10'],
    ['chunks with LF alone', 'hello'],
    ['no length', 'until the end\r\n\r\n'],
    ['mixed line ends', 'ok'],
    ['interim responses before it', ''],
    ['a response to HEAD', ''],
  ])('with %s has the expected body', (name, body) => {
    const [, text = '', isHead] = RESPONSES.find(([other]) => other === name) ?? []
    expect(readResponse([Buffer.from(text)], isHead)).toMatchObject({ body, refused: undefined })
  })

  it.each([
    'a folded status line',
    'a chunk without a size',
    'a chunk longer than its size',
    'another protocol',
    'a later version',
  ])('with %s is refused', (name) => {
    const [, text = ''] = RESPONSES.find(([other]) => other === name) ?? []
    expect(readResponse([Buffer.from(text, 'latin1')]).refused).toBe('invalid-response')
  })

  it.each([
    ['another protocol', 'SSH'],
    ['another version', 'HTTP/2'],
    ['a document without a header', '<'],
  ])('is refused as soon as it is recognizable as %s', (_, text) => {
    expect(readResponse([Buffer.from(text)]).refused).toBe('invalid-response')
  })
})

describe('a header', () => {
  const filled = (length: number) => {
    const start = `${OK}X: `
    return `${start}${'x'.repeat(length - start.length)}\r\n\r\n`
  }
  it.each([
    ['in one read', (bytes: Buffer) => [bytes]],
    [
      'in many reads',
      (bytes: Buffer) =>
        piecesOf(
          bytes,
          Array.from({ length: 99 }, (_, n) => n * 700),
        ),
    ],
  ])('may have 64 KiB, and no more, %s', (_, inPieces) => {
    const read = (length: number) => readResponse(inPieces(Buffer.from(filled(length))))
    expect(read(64 * 1_024)).toMatchObject({ statuses: [200], refused: undefined })
    expect(read(64 * 1_024 + 1)).toMatchObject({ statuses: [], refused: 'header-too-large' })
  })

  it.each([
    ['without an end', `${OK}X: `, 'x'],
    ['of line ends alone', '', '\r\n'],
    ['of folds', `${OK}X: a`, '\r\n '],
  ])('%s is refused after about 64 KiB', (_, start, more) => {
    const pieces = [start, ...Array<string>(100).fill(more.repeat(1_000))]
    expect(readResponse(pieces.map((piece) => Buffer.from(piece)))).toMatchObject({
      refused: 'header-too-large',
    })
  })

  it('takes time linear in its length, even byte by byte', () => {
    const bytes = Buffer.from(filled(60_000))
    const started = performance.now()
    readResponse(piecesOf(bytes, [...bytes.keys()]))
    // If the time were quadratic, it would be minutes.
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('between responses', () => {
  const parts = { onHead() {}, onBody() {}, onEnd() {} }
  const kept = () => {
    const reader = new ResponseReader(parts)
    reader.begin(false)
    reader.read(Buffer.from(`${OK}Content-Length: 2\r\n\r\nok`))
    return reader
  }

  it('some line ends are ignored, and nothing else', () => {
    kept().read(Buffer.from('\r\n\r\n'))
    expect(() => kept().read(Buffer.from('\r\nx'))).toThrow('was not requested')
    expect(() => kept().read(Buffer.from(`${OK}\r\n`))).toThrow('was not requested')
  })

  it('a flood of line ends is refused', () => {
    const reader = kept()
    expect(() => {
      for (let i = 0; i < 1_000; i++) reader.read(Buffer.from('\r\n'.repeat(100)))
    }).toThrow('was not requested')
  })

  it('the connection may end without ending a response', () => {
    expect(kept().end()).toBe(false)
  })
})
