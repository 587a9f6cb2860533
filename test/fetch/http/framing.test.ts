import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { flood as pour } from '../../hostile/send.ts'
import { serveRaw } from '../../support/serve.ts'
import { ENOUGH, openTestFetcher } from '../open-test-fetcher.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const FINAL = `${OK}Content-Length: 2\r\n\r\nok`
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n'
/** Time for a client on a busy machine to read what was sent. */
const READ_MS = 400
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'

const ended = (answer: string) => (socket: Socket) => void socket.end(answer, 'latin1')

/** Returns a function that sends bytes, and resets the connection after they were read. */
const reset = (answer: string) => async (socket: Socket) => {
  socket.write(answer, 'latin1')
  await sleep(READ_MS)
  socket.resetAndDestroy()
}

/** Requests from a server that responds like this to every request. */
async function answerOf(answer: string | ((socket: Socket) => void)) {
  const { url } = await serveRaw((socket) => {
    if (typeof answer === 'string') socket.write(answer, 'latin1')
    else answer(socket)
  })
  return openTestFetcher({ timeout: 10_000 }).get({ url: `${url}/`, maxBody: ENOUGH })
}

describe('interim responses', () => {
  it.each([
    ['100', CONTINUE],
    ['100 with a header', 'HTTP/1.1 100 Continue\r\nContent-Length: 3\r\n\r\n'],
    ['several kinds', `${HINTS}${CONTINUE}${PROCESSING}`],
    ['an unknown one', 'HTTP/1.1 199 Odd\r\n\r\n'],
    ['100 of them', PROCESSING.repeat(100)],
  ])('are skipped: %s', async (_, interim) => {
    const answer = await answerOf(interim + FINAL)
    expect(answer).toMatchObject({ status: 200, bytes: 2, truncated: false })
  })

  it('are skipped if they arrive in pieces', async () => {
    const answer = await answerOf(async (socket) => {
      for (const piece of ['HTTP/1.1 100 Con', 'tinue\r\n\r\nHTTP/1.1 20', FINAL.slice(11)]) {
        socket.write(piece)
        await sleep(20)
      }
    })
    expect(answer).toMatchObject({ status: 200, bytes: 2 })
  })

  it('leave the connection reusable', async () => {
    const server = await serveRaw((socket) => socket.write(CONTINUE + FINAL))
    const client = openTestFetcher({ concurrency: 1 })
    for (let i = 0; i < 3; i++) await client.get({ url: `${server.url}/`, maxBody: ENOUGH })
    expect(server.connections).toBe(1)
  })

  it('are limited in number', async () => {
    await expect(answerOf(PROCESSING.repeat(101) + FINAL)).rejects.toMatchObject({
      code: 'invalid-response',
      message: 'more than 100 interim responses',
    })
  })

  it('are not a response by themselves', async () => {
    const failure = { code: 'connection-reset', isTransient: true, status: undefined }
    await expect(answerOf(ended(CONTINUE))).rejects.toMatchObject(failure)
  })
})

describe('a status code below 100', () => {
  it.each(['000', '001', '099'])('is invalid: %s', async (status) => {
    await expect(
      answerOf(`HTTP/1.1 ${status} Odd\r\nContent-Length: 2\r\n\r\nok`),
    ).rejects.toMatchObject({ code: 'invalid-response', message: `the status is ${status}` })
  })
})

describe('a header', () => {
  it.each([
    ['a folded value', 'X-Test: a\r\n b\r\n', 'a b'],
    ['a value folded with a tab', 'X-Test: a\r\n\tb\r\n', 'a\tb'],
    ['a value that begins on the next line', 'X-Test:\r\n b\r\n', 'b'],
  ])('may have %s', async (_, line, expected) => {
    const { headers } = await answerOf(`${OK}${line}Content-Length: 2\r\n\r\nok`)
    expect(headers['x-test']).toBe(expected)
  })

  it('is limited in its folded lines', async () => {
    const folded = `${OK}X: a${'\r\n b'.repeat(1_001)}\r\nContent-Length: 2\r\n\r\nok`
    await expect(answerOf(folded)).rejects.toMatchObject({ code: 'header-too-large' })
  })

  it('may have white space after the value of Content-Length', async () => {
    expect(await answerOf(`${OK}Content-Length: 2  \r\n\r\nok`)).toMatchObject({ bytes: 2 })
  })

  it('may have lines that end without a carriage return', async () => {
    expect(await answerOf(FINAL.replaceAll('\r', ''))).toMatchObject({ status: 200, bytes: 2 })
  })

  it.each([
    ['a null byte', 'X: a\0b'],
    ['an escape sequence', 'X: \x1b]0;owned\x07'],
    ['a carriage return', 'X: a\rb'],
    ['DEL', 'X: a\x7fb'],
    ['no value', 'X'],
    ['a space in its name', 'X Y: b'],
    ['a space after its name', 'X : b'],
  ])('may have %s', async (_, line) => {
    const answer = await answerOf(`${OK}${line}\r\nContent-Length: 2\r\n\r\nok`)
    expect(answer).toMatchObject({ status: 200, bytes: 2 })
  })

  it('may have a length that is overridden by chunks, once per connection', async () => {
    const chunks = `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`
    const server = await serveRaw((socket) => socket.write(chunks))
    const client = openTestFetcher({ concurrency: 1 })
    for (let i = 0; i < 2; i++) {
      const answer = await client.get({ url: `${server.url}/`, maxBody: ENOUGH })
      expect(answer).toMatchObject({ status: 200, bytes: 2, failure: undefined })
    }
    expect(server.connections).toBe(2)
  })

  it.each(['-1', '', 'unknown'])(
    'may have a length that is no number of bytes, which is ignored as in browsers: %j',
    async (length) => {
      const answer = await answerOf(ended(`${OK}Content-Length: ${length}\r\n\r\nok`))
      expect(answer).toMatchObject({ status: 200, bytes: 2, truncated: false })
    },
  )

  it('causes an error that says what is wrong with it', async () => {
    const twice = 'Content-Length: 2\r\nContent-Length: 3\r\n\r\nok'
    await expect(answerOf(OK + twice)).rejects.toMatchObject({
      message: expect.stringContaining('different values'),
    })
  })
})

describe('a transfer coding besides chunked', () => {
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  const gzipped = gzipSync('hello').toString('latin1')
  it.each([
    ['Transfer-Encoding: gzip, chunked', chunked(gzipped)],
    ['Transfer-Encoding: gzip\r\nTransfer-Encoding: Chunked', chunked(gzipped)],
    ['Transfer-Encoding: gzip', gzipped],
    ['Transfer-Encoding: gzip, chunked\r\nContent-Encoding: gzip', chunked(gzipped)],
    ['Transfer-Encoding: identity, chunked', chunked('hello')],
    ['Transfer-Encoding: Chunked', chunked('hello')],
  ])('is undone: %j', async (fields, body) => {
    const { url } = await serveRaw(ended(`${OK}${fields}\r\n\r\n${body}`))
    const get = openTestFetcher().get({ url: `${url}/`, maxBody: ENOUGH })
    expect(String((await get).body)).toBe('hello')
  })
})

describe('chunked coding', () => {
  const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
  it.each([
    ['an extension without an end', '1;a=', 'x'.repeat(2 ** 20)],
    ['long extensions', '', `1;a=${'x'.repeat(10_000)}\r\nx\r\n`.repeat(100)],
  ])('is limited in its overhead: %s', async (_, start, flood) => {
    const { url } = await serveRaw((socket) => pour(CHUNKED + start, flood)(socket, ''))
    const { failure } = await openTestFetcher({ timeout: 30_000 }).get({
      url: `${url}/`,
      maxBody: ENOUGH,
    })
    expect(failure).toMatchObject({ code: 'invalid-response', status: 200 })
  })

  it('may have chunks of one byte each', async () => {
    const chunks = '1\r\nx\r\n'.repeat(500_000)
    const answer = await answerOf(`${CHUNKED}${chunks}0\r\n\r\n`)
    expect(answer).toMatchObject({ bytes: 500_000, truncated: false })
  })
})

describe('a connection reset', () => {
  it("doesn't end a body without a length, also on a reused connection", async () => {
    const server = await serveRaw((socket, head) => {
      if (head.startsWith('GET /first')) socket.write(FINAL)
      else void reset(`${OK}\r\nhalf`)(socket)
    })
    const client = openTestFetcher({ concurrency: 1, timeout: 10_000 })
    await client.get({ url: `${server.url}/first`, maxBody: ENOUGH })
    const failure = { code: 'connection-reset', isTransient: true, status: 200 }
    await expect(
      client.get({ url: `${server.url}/second`, maxBody: ENOUGH }),
    ).rejects.toMatchObject(failure)
    expect(server.connections).toBe(1)
  })
})

describe('a body whose end is missing', () => {
  const LENGTH = 'Content-Length: 50\r\n'
  const CHUNKED = 'Transfer-Encoding: chunked\r\n'
  const CLOSE = 'Connection: close\r\n'
  it.each([
    ['less than its length', ended(`${OK}${LENGTH}\r\nhalf`)],
    ['less than its length, with Connection: close', ended(`${OK}${CLOSE}${LENGTH}\r\nhalf`)],
    ['less than its length, in HTTP/1.0', ended(`HTTP/1.0 200 OK\r\n${LENGTH}\r\nhalf`)],
    ['less than its length, reset', reset(`${OK}${CLOSE}${LENGTH}\r\nhalf`)],
    ['half a chunk', ended(`${OK}${CHUNKED}\r\n9\r\nhalf`)],
    ['half a chunk, with Connection: close', ended(`${OK}${CLOSE}${CHUNKED}\r\n9\r\nhalf`)],
    ['no last chunk', ended(`${OK}${CLOSE}${CHUNKED}\r\n4\r\nhalf\r\n`)],
    ['half a trailer', ended(`${OK}${CLOSE}${CHUNKED}\r\n4\r\nhalf\r\n0\r\nX: y`)],
    ['no length, reset', reset(`${OK}\r\nhalf`)],
    ['no length, reset with Connection: close', reset(`${OK}${CLOSE}\r\nhalf`)],
  ])('causes connection-reset: %s', async (_, answer) => {
    const failure = { code: 'connection-reset', isTransient: true, status: 200 }
    await expect(answerOf(answer)).rejects.toMatchObject(failure)
  })
})
