import type { Behaviour } from './behaviour.ts'
import { bytes, bytesAndEnd, drip, flood, head, page } from './send.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const INVALID = { error: 'invalid-response' } as const
const TOO_LARGE = { error: 'header-too-large' } as const
const KIBIBYTES = 'x'.repeat(16 * 2 ** 10)
const MEBIBYTE = 'x'.repeat(2 ** 20)

const cookies = (count: number) => 'Set-Cookie: session=0123456789; Path=/\r\n'.repeat(count)
const status = (line: string) => bytes(`${line}\r\nContent-Length: 2\r\n\r\nok`)

/** Status lines and header fields that are invalid, endless or odd. */
export const headers: readonly Behaviour[] = [
  ['http-0.9', bytesAndEnd('<!doctype html><p>old times'), INVALID],
  ['no-http-at-all', bytesAndEnd(Buffer.from([0, 1, 2, 0xff, 0xfe, 13, 10, 13, 10])), INVALID],
  ['ssh', bytesAndEnd('SSH-2.0-OpenSSH_9.9\r\n'), INVALID],
  ['status-without-number', status('HTTP/1.1 fine'), INVALID],
  ['status-of-four-digits', status('HTTP/1.1 2000 OK'), INVALID],
  ['status-of-two-digits', status('HTTP/1.1 99 OK'), INVALID],
  ['status-below-zero', status('HTTP/1.1 -20 OK'), INVALID],
  ['status-000', status('HTTP/1.1 000 OK'), INVALID],
  ['status-099', status('HTTP/1.1 099 OK'), INVALID],
  ['version-9.9', status('HTTP/9.9 200 OK'), INVALID],
  ['icy', status('ICY 200 OK'), INVALID],
  ['endless-status-line', drip('HTTP/1.1 200 ', KIBIBYTES, 10), TOO_LARGE],
  ['endless-headers', flood(OK, 'X-More: and more\r\n'.repeat(1_000)), TOO_LARGE],
  ['endless-header-name', flood(OK, MEBIBYTE), TOO_LARGE],
  ['endless-header-value', flood(`${OK}X: `, MEBIBYTE), TOO_LARGE],
  ['header-of-1-mb', bytes(page('ok', `X: ${MEBIBYTE}\r\n`)), TOO_LARGE],
  ['flood-of-cookies', bytes(page('ok', cookies(1_000))), { status: 200 }, { bytes: 2 }],
  ['larger-flood-of-cookies', bytes(page('ok', cookies(10_000))), TOO_LARGE],
  ['nul-in-header-value', bytes(page('ok', 'X: a\0b\r\n')), { status: 200 }],
  ['nul-in-header-name', bytes(page('ok', 'X\0: ab\r\n')), { status: 200 }],
  ['space-in-header-name', bytes(page('ok', 'X Y: ab\r\n')), { status: 200 }],
  ['header-without-colon', bytes(page('ok', 'nonsense\r\n')), { status: 200 }],
  ['folded-header', bytes(page('ok', 'X: a\r\n b\r\n')), { status: 200 }],
  ['endless-folds', flood(`${OK}X: a`, '\r\n b'.repeat(10_000)), TOO_LARGE],
  ['escapes-in-content-type', bytes(typed('\x1b]0;owned\x07')), { status: 200 }],
  ['c1-escapes-in-content-type', bytes(typed('text/\x9b31m')), { status: 200 }],
  ['c1-escapes-in-links', bytes(page('ok', 'Link: </leaf/\x9b2J>; rel=next\r\n')), { status: 200 }],
  ['two-lengths', bytes(page('ok', 'Content-Length: 3\r\n')), INVALID],
  [
    'length-and-chunks',
    bytes(page('2\r\nok\r\n0\r\n\r\n', 'Transfer-Encoding: chunked\r\n')),
    { status: 200 },
    { bytes: 2 },
  ],
  ['length-below-zero', lasting('-1'), { status: 200 }, { bytes: 2 }],
  ['length-of-40-digits', lasting('9'.repeat(40)), { status: 200 }, { bytes: 2 }],
  ['length-in-words', lasting('two'), { status: 200 }, { bytes: 2 }],
]

/** Sends a body that lasts until the end of the connection, since its length is no number of bytes. */
function lasting(length: string) {
  return bytesAndEnd(`${head(`Content-Length: ${length}\r\n`)}ok`)
}

function typed(type: string): string {
  return `${OK}Content-Type: ${type}\r\nContent-Length: 2\r\n\r\nok`
}
