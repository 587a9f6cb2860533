import { describe, expect, it } from 'vitest'
import { ChunkedBody } from '../../../../src/fetch/http/http1/chunked-body.ts'

/** Returns the body of a text in chunks, and the rest of the text. */
function decode(...pieces: readonly string[]) {
  let body = ''
  const chunks = new ChunkedBody((bytes) => {
    body += bytes.toString('latin1')
  })
  let rest = ''
  for (const piece of pieces) {
    const end = chunks.read(Buffer.from(piece, 'latin1'), 0)
    rest += piece.slice(end)
  }
  return { body, rest, isDone: chunks.isDone }
}

const refusal = (text: string) => {
  try {
    return decode(text)
  } catch (error) {
    return error
  }
}

describe('a chunked body', () => {
  it.each([
    ['chunks', '5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n', 'hello, world'],
    ['no chunk', '0\r\n\r\n', ''],
    [
      'hexadecimal digits in upper and lower case',
      'a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n',
      '01234567890123456789a',
    ],
    ['zeros before its size', `${'0'.repeat(100)}2\r\nok\r\n000\r\n\r\n`, 'ok'],
    ['spaces after its size', '2  \r\nok\r\n0 \t\r\n\r\n', 'ok'],
    ['extensions', '2;a=b\r\nok\r\n0;c="d;e"\r\n\r\n', 'ok'],
    ['LF only', '2\nok\n0\n\n', 'ok'],
    ['a trailer', '2\r\nok\r\n0\r\nX: y\r\nZ: 1\r\n\r\n', 'ok'],
    [
      'line endings in the data',
      '4\r\n\r\n\r\n\r\n5\r\n0\r\n\r\n\r\n0\r\n\r\n',
      '\r\n\r\n0\r\n\r\n',
    ],
  ])('with %s is decoded', (_, text, body) => {
    expect(decode(`${text}more`)).toEqual({ body, rest: 'more', isDone: true })
    expect(decode(...text)).toEqual({ body, rest: '', isDone: true })
  })

  it.each([
    '2',
    '2\r',
    '2\r\n',
    '2\r\no',
    '2\r\nok',
    '2\r\nok\r\n',
    '2\r\nok\r\n0',
    '2\r\nok\r\n0\r\n',
    '0\r\nX: y\r\n',
    '0\r\n\r',
  ])('is incomplete: %j', (text) => {
    expect(decode(text).isDone).toBe(false)
  })

  it.each([
    ['no size', '\r\nok'],
    ['an extension without a size', ';a\r\nok'],
    ['spaces before the size', ' 2\r\nok'],
    ['a signed size', '-2\r\nok'],
    ['a size with a 0x prefix', '0x2\r\nok'],
    ['digits separated by spaces', '2 2\r\nok'],
    ['a size that a number cannot represent exactly', '20000000000000\r\nok'],
    ['more data than its size', '2\r\nokay\r\n'],
    ['less data than its size', '5\r\nok\r\n0\r\n\r\n'],
    ['a carriage return in its line', '2\r;a\r\nok'],
    ['a carriage return in an extension', '2;a\rb\r\nok'],
    ['two carriage returns after the data', '2\r\nok\r\r\n'],
    ['a carriage return in the trailer', '0\r\nX: y\rZ\r\n\r\n'],
  ])('with %s is refused', (_, text) => {
    expect(refusal(text)).toMatchObject({ code: 'invalid-response' })
  })

  it('has a trailer of limited length', () => {
    expect(refusal(`0\r\n${'X: y\r\n'.repeat(12_000)}`)).toMatchObject({ code: 'header-too-large' })
    expect(refusal(`0\r\nX: ${'y'.repeat(70_000)}`)).toMatchObject({ code: 'header-too-large' })
  })

  it('may have chunks of one byte, but only a limited overhead', () => {
    expect(decode(`${'1\r\nx\r\n'.repeat(300_000)}0\r\n\r\n`).body).toHaveLength(300_000)
    expect(refusal(`1;${'a'.repeat(1_100_000)}`)).toMatchObject({ code: 'invalid-response' })
    expect(refusal('0'.repeat(1_100_000))).toMatchObject({ code: 'invalid-response' })
    expect(refusal(`1;${'a'.repeat(100)}\r\nx\r\n`.repeat(20_000))).toMatchObject({
      code: 'invalid-response',
    })
  })
})
