import type { Behaviour } from './behaviour.ts'
import { bytes, bytesAndEnd, bytesAndReset, drip, flood, head, page } from './send.ts'

const TWO = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n'
const CHUNKED = head('Transfer-Encoding: chunked\r\n')
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'
const UPGRADE =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello'

const SLOW_BODY = { status: 200, error: 'timeout', truncated: true } as const
const CUT_BODY = { status: 200, error: 'connection-reset', truncated: true } as const

/** Servers that are slow, go away, or announce something about their connection and do something else. */
export const connections: readonly Behaviour[] = [
  ['never-answers', () => {}, { error: 'timeout' }],
  ['drips-its-header', drip('HTTP/1.1 200', ' '), { error: 'timeout' }],
  ['drips-its-body', drip(head(), 'x'), SLOW_BODY],
  ['drips-chunks', drip(CHUNKED, '1\r\nx\r\n'), SLOW_BODY],
  ['stops-in-its-header', bytes('HTTP/1.1 200 OK\r\nContent-'), { error: 'timeout' }],
  ['stops-in-its-body', bytes(head('Content-Length: 9\r\n')), SLOW_BODY],
  ['never-closes', bytes(`${head('Connection: close\r\n')}all of it`), SLOW_BODY],
  ['resets', bytesAndReset(''), { error: 'connection-reset' }],
  ['resets-in-its-header', bytesAndReset('HTTP/1.1 200 OK\r\nCon'), { error: 'connection-reset' }],
  ['resets-in-its-body', bytesAndReset(`${head('Content-Length: 9\r\n')}hal`), CUT_BODY],
  ['closes', bytesAndEnd(''), { error: 'connection-reset' }],
  ['closes-in-its-header', bytesAndEnd('HTTP/1.1 200 OK\r\nCon'), { error: 'connection-reset' }],
  ['content-length-too-long', bytesAndEnd(`${head('Content-Length: 9\r\n')}hal`), CUT_BODY],
  [
    'content-length-too-long-as-announced',
    bytesAndEnd(`${head('Connection: close\r\nContent-Length: 9\r\n')}hal`),
    CUT_BODY,
  ],
  ['content-length-too-short', bytes(`${TWO}\r\nok and more`), { status: 200 }, { bytes: 2 }],
  ['closes-in-a-chunk', bytesAndEnd(`${CHUNKED}9\r\nhal`), CUT_BODY],
  [
    'keeps-alive-and-closes',
    bytesAndEnd(`${TWO}Connection: keep-alive\r\n\r\nok`),
    { status: 200 },
  ],
  [
    'keeps-alive-and-resets',
    bytesAndReset(`${TWO}Connection: keep-alive\r\n\r\nok`),
    { status: 200 },
  ],
  ['answers-twice', bytes(`${TWO}\r\nok${TWO}\r\nno`), { status: 200 }, { bytes: 2 }],
  [
    'answers-again-and-again',
    flood(page('ok'), Buffer.concat(Array<Buffer>(1_000).fill(page('no'))), 10),
    { status: 200 },
  ],
  [
    'floods-with-102',
    drip('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100), 10),
    { error: 'invalid-response' },
  ],
  ['floods-with-103', drip('', HINTS.repeat(100), 10), { error: 'invalid-response' }],
  ['says-100-unasked', bytes(`${CONTINUE}${TWO}\r\nok`), { status: 200 }, { bytes: 2 }],
  ['says-100-and-no-more', bytes(CONTINUE), { error: 'timeout' }],
  ['changes-the-protocol', bytes(UPGRADE), { error: 'invalid-response' }],
]
