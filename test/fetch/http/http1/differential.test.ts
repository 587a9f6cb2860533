import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomCases } from '../../../support/soak.ts'
import { arbitraryResponse } from './arbitrary-response.ts'
import { compareWithLlhttp, EXCEPTION_NAMES } from './compare-with-llhttp.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
const CASES = randomCases(4_000)
const compare = (text: string, isHead = false) => compareWithLlhttp({ text, isHead, cuts: [] })

describe('the reader of responses', () => {
  it("reads any response like undici's parser, apart from the listed exceptions", () => {
    const outcomes: Record<string, number> = {}
    fc.assert(
      fc.property(arbitraryResponse, (received) => {
        const outcome = compareWithLlhttp(received)
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }),
      { numRuns: CASES },
    )
    // With nothing to read, they would agree, too.
    expect(outcomes['read']).toBeGreaterThan(CASES / 5)
    expect(outcomes['refused']).toBeGreaterThan(CASES / 20)
    const excepted = EXCEPTION_NAMES.map((name) => outcomes[name] ?? 0)
    expect(excepted.reduce((sum, count) => sum + count, 0)).toBeLessThan(0.35 * CASES)
  })

  it.each([
    ['a length', `${OK}Content-Length: 2\r\n\r\nok`, 'read'],
    ['chunks and a trailer', `${CHUNKED}2;a=b\r\nok\r\n0\r\nX: y\r\n\r\n`, 'read'],
    ['the end of the connection', `${OK}\r\nok`, 'read'],
    ['interim responses before it', `HTTP/1.1 100\r\n\r\n${OK}Content-Length: 0\r\n\r\n`, 'read'],
    ['LF only', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'read'],
    ['folds', `${OK}X: a\r\n b\r\n\r\nok`, 'read'],
    [
      'a no-break space after chunked',
      `${OK}Transfer-Encoding: chunked\xa0\r\n\r\n2\r\nok`,
      'read',
    ],
    ['half a body', `${OK}Content-Length: 9\r\n\r\nhalf`, 'without an end'],
    ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`, 'refused'],
    ['control characters, as spaces', `${OK}X: a\0b\rc\r\nContent-Length: 2\r\n\r\nok`, 'read'],
    ['a chunk without a size', `${CHUNKED}x\r\n`, 'refused'],
    ['a chunk that is too long', `${CHUNKED}2\r\nokay\r\n0\r\n\r\n`, 'refused'],
  ])("reads a response with %s like undici's parser", (_, text, outcome) => {
    expect(compare(text)).toBe(outcome)
  })
})

const EXAMPLES: Readonly<Record<string, readonly [text: string, isHead?: boolean]>> = {
  'we check a head only when it is complete, and limit its length': ['HTTP/1.1 2x0 OK\r\nSer'],
  'we refuse versions other than HTTP/1.0 and HTTP/1.1': ['HTTP/2.0 200 OK\r\n\r\n'],
  'we ignore lines that are no fields': [`${OK}X\r\n\r\n`],
  'we remove white space after names': [`${OK}Content-Length : 2\r\n\r\nok`],
  'we let a transfer coding override a length': [
    `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  'we refuse a lone carriage return in the lines of chunks and trailers': [
    `${CHUNKED}0\r\nX:\r\r\n`,
  ],
  'we accept the same length several times': [
    `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`,
  ],
  'we ignore a length that is no number of bytes': [`${OK}Content-Length: -1\r\n\r\nok`],
  'we refuse white space before the first header': [`${OK} X: y\r\n\r\nok`],
  'we refuse lengths that a number cannot represent exactly': [`${CHUNKED}ffffffffffffffff\r\nx`],
  'we ignore the extensions of chunks': [`${CHUNKED}2; a = b\r\nok\r\n0\r\n\r\n`],
  'we ignore the trailer': [`${CHUNKED}0\r\nContent-Length: 3\r\n\r\n`],
  'we recognize a framing header despite tabs and folds after its value': [
    `${OK}Transfer-Encoding: chunked\t\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  ],
  'we ignore empty elements of Transfer-Encoding': [
    `${OK}Transfer-Encoding: chunked,\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  ],
  'we leave it to the response handler to refuse 101': [`HTTP/1.1 101 Switching\r\n\r\n${OK}\r\n`],
  'we accept lines of chunks that end with LF only': [`${CHUNKED}2\nok\r\n0\r\n\r\n`],
  'we continue after an interim response that closes its connection': [
    `HTTP/1.1 103 Hints\r\nConnection: close\r\n\r\n${OK}\r\nok`,
  ],
  'we close a connection whose response names close, even among others': [
    'HTTP/1.0 204 OK\r\nConnection: close, keep-alive\r\n\r\n',
  ],
  'we close an HTTP/1.0 connection whose response has a transfer coding': [
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  'we use the shortest time of Keep-Alive, after any separator': [
    'HTTP/1.1 204 OK\r\nKeep-Alive: max=9; timeout=2\r\n\r\n',
  ],
}

describe("an exception from undici's parser", () => {
  it.each(Object.entries(EXAMPLES))('is that %s', (name, example) => {
    expect(compare(...example)).toBe(name)
  })

  it('has an example', () => {
    expect(EXCEPTION_NAMES).toEqual(Object.keys(EXAMPLES))
  })
})
