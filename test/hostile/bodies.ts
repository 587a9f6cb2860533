import type { Behaviour } from './behaviour.ts'
import { bytes, bytesAndEnd, drip, flood, head, page } from './send.ts'

const CHUNKED = head('Transfer-Encoding: chunked\r\n')
const INVALID = { status: 200, error: 'invalid-response', truncated: true } as const
const TIMEOUT = { status: 200, error: 'timeout', truncated: true } as const
const TRUNCATED = { status: 200, truncated: true } as const
const KIBIBYTES = 'x'.repeat(16 * 2 ** 10)
const MEBIBYTE = 'no link here. '.repeat(75_000)

const chunked = (chunks: string) => bytes(`${CHUNKED}${chunks}`)
const image = 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n'

/** Bodies without an end, or with invalid framing. */
export const bodies: readonly Behaviour[] = [
  ['endless-body', flood(head(), MEBIBYTE), TRUNCATED],
  ['endless-image', flood(image, MEBIBYTE), TRUNCATED],
  ['endless-chunks', flood(CHUNKED, `100000\r\n${'x'.repeat(2 ** 20)}\r\n`), TRUNCATED],
  ['endless-small-chunks', drip(CHUNKED, '1\r\nx\r\n'.repeat(1_000), 10), TIMEOUT],
  ['endless-chunk-extension', drip(`${CHUNKED}1;a=`, KIBIBYTES, 10), INVALID],
  ['flood-of-chunk-extension', flood(`${CHUNKED}1;a=`, KIBIBYTES), INVALID],
  [
    'endless-trailer',
    flood(`${CHUNKED}0\r\n`, 'X: y\r\n'.repeat(10_000)),
    { status: 200, error: 'header-too-large', truncated: true },
  ],
  ['page-of-100-mb', flood(head('Content-Length: 105000000\r\n'), MEBIBYTE, 100), TRUNCATED],
  ['chunks-of-garbage', chunked('<html>\r\nno chunk at all'), INVALID],
  ['chunk-below-zero', chunked('-1\r\nx\r\n'), INVALID],
  ['chunk-of-20-digits', chunked('ffffffffffffffffffff\r\nx'), INVALID],
  ['chunk-longer-than-said', chunked('2\r\nokay\r\n0\r\n\r\n'), INVALID],
  [
    'unknown-transfer-coding',
    bytesAndEnd(`${head('Transfer-Encoding: wat\r\n')}ok`),
    { status: 200 },
  ],
  ['body-where-none-may-be', bytesAndEnd('HTTP/1.1 204 No Content\r\n\r\nok'), { status: 204 }],
  ['not-modified-unasked', bytes('HTTP/1.1 304 Not Modified\r\n\r\n'), { status: 304 }],
  ['nothing', bytes(page('')), { status: 200 }, { bytes: 0 }],
]
