import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { StaleConnectionError } from '../../../../src/fetch/http/connections/stale-connection.ts'
import { Connection } from '../../../../src/fetch/http/http1/connection.ts'
import { selfSigned } from '../../../support/certificates.ts'
import { serveRaw } from '../../../support/serve.ts'
import { openTestPool } from './open-test-pool.ts'
import { dispatch, getFrom, RecordedResponse } from './recorded-response.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const TWO = `${OK}Content-Length: 2\r\n\r\nok`
const EVENTS = { onRead: undefined, onServed() {}, onClose() {} }

/** Returns a connection without a server, and a function that simulates received bytes. */
function unconnected() {
  const socket = new Socket()
  const connection = new Connection(socket, EVENTS)
  const response = (during?: ConstructorParameters<typeof RecordedResponse>[0]) => {
    const listener = new RecordedResponse(during)
    connection.send({ method: 'GET', text: '', isFresh: false, listener })
    return listener
  }
  return { connection, response, receive: (text: string) => socket.emit('data', Buffer.from(text)) }
}

describe('a connection', () => {
  it('returns the parts of a response in order, and the header as received', async () => {
    const server = await serveRaw((socket) =>
      socket.write(
        `HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n${OK}X-A: b\r\nX-a:  c \r\nContent-Length: 2\r\n\r\nok`,
      ),
    )
    const { pool } = openTestPool()
    const response = dispatch(pool, server.url)
    expect(await response.whole).toBe('ok')
    expect(response).toMatchObject({
      calls: [
        'onRequestStart',
        'onResponseStart',
        'onResponseStart',
        'onResponseData',
        'onResponseEnd',
      ],
      statuses: [103, 200],
      reasons: ['Hints', 'OK'],
      headers: { 'x-a': ['b', 'c'], 'content-length': '2' },
      rawHeaders: ['X-A', 'b', 'X-a', 'c', 'Content-Length', '2'],
    })
  })

  it('reports the bytes of each read, headers included', async () => {
    const server = await serveRaw((socket) => socket.write(TWO))
    const reads: number[] = []
    const { pool } = openTestPool({ onRead: (bytes) => reads.push(bytes) })
    await getFrom(pool, server.url)
    expect(reads.reduce((sum, bytes) => sum + bytes, 0)).toBe(TWO.length)
  })

  it('is closed after a response to HEAD, since some servers send a body after it', async () => {
    const server = await serveRaw((socket, head) => {
      socket.write(head.startsWith('HEAD') ? `${OK}Content-Length: ${TWO.length}\r\n\r\n` : TWO)
      if (head.startsWith('HEAD')) setTimeout(() => socket.write(TWO.replace('ok', 'no')), 5)
    })
    const { pool } = openTestPool()
    expect(await getFrom(pool, server.url, { method: 'HEAD' })).toBe('')
    expect(await getFrom(pool, server.url)).toBe('ok')
    expect(server.connections).toBe(2)
  })

  it.each([204, 304])('is not used again after a %i with a length', async (status) => {
    const server = await serveRaw((socket) =>
      socket.write(`HTTP/1.1 ${status} Odd\r\nContent-Length: 2\r\n\r\nok`),
    )
    const { pool } = openTestPool()
    const response = dispatch(pool, server.url)
    expect(await response.whole).toBe('')
    expect(await getFrom(pool, server.url)).toBe('')
    expect(server.connections).toBe(2)
  })

  it.each([204, 304])("doesn't take the body of a %i for the next response", async (status) => {
    const server = await serveRaw((socket) => socket.write(`HTTP/1.1 ${status} Odd\r\n\r\n${TWO}`))
    const { pool } = openTestPool()
    for (let i = 0; i < 2; i++) expect(await dispatch(pool, server.url).whole).toBe('')
    expect(server.connections).toBe(2)
  })
})

describe('a listener that aborts the response', () => {
  it.each(['onRequestStart', 'onResponseStart', 'onResponseData', 'onResponseEnd'] as const)(
    'in %s is not called again, and the next request is sent',
    async (aborting) => {
      const server = await serveRaw((socket) =>
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n`),
      )
      const { pool, sockets } = openTestPool()
      const aborted = dispatch(pool, server.url, {}, (callback, control) => {
        if (callback === aborting) control?.abort(new Error('enough'))
      })
      expect(await getFrom(pool, server.url)).toBe('ok')
      expect(aborted.calls.at(-1)).toBe(aborting)
      expect(aborted.calls.filter((callback) => callback === aborting)).toHaveLength(1)
      expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false])
      expect(server.heads).toHaveLength(aborting === 'onRequestStart' ? 1 : 2)
    },
  )
})

describe('a connection that ends', () => {
  /** Returns the failure of a request on a connection that has served some requests before, if the response is cut. */
  async function failureAfter(served: number, cut: string, how: 'end' | 'resetAndDestroy') {
    const server = await serveRaw(async (socket) => {
      if (server.heads.length <= served) socket.write(TWO)
      else if (how === 'end') socket.end(cut)
      else {
        socket.write(cut)
        await sleep(30)
        socket.resetAndDestroy()
      }
    })
    const { pool, sockets } = openTestPool()
    for (let i = 0; i < served; i++) await getFrom(pool, server.url)
    const response = dispatch(pool, server.url)
    const result = await response.whole.catch((error: unknown) => error)
    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true)
    expect(server.connections).toBe(1)
    return result
  }

  const CUTS = [
    ['before the response', ''],
    ['in the status line', 'HTTP/1.1 2'],
    ['in the header', `${OK}Content-`],
    ['after an interim response', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['before the body', `${OK}Content-Length: 2\r\n\r\n`],
    ['in the body', `${OK}Content-Length: 2\r\n\r\no`],
    ['in a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\no`],
    ['before the last chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n`],
    ['in the trailer', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n`],
  ] as const

  it.each(CUTS)('%s fails its request', async (_, cut) => {
    const isInBody = cut.startsWith(OK) && cut.includes('\r\n\r\n')
    expect(await failureAfter(0, cut, 'end')).toMatchObject({
      code: 'connection-reset',
      message: `the connection was closed before ${isInBody ? 'the end of the body' : 'the response'}`,
    })
    expect(await failureAfter(0, cut, 'resetAndDestroy')).toMatchObject({
      code: expect.stringMatching(/^connection-reset$|^ECONNRESET$/),
    })
  })

  it.each(CUTS)(
    '%s was stale only if it had served a request, and no response started',
    async (_, cut) => {
      const isStale = /^(?:HTTP\/1.1 200 OK\r\nContent-|HTTP\/1.1 2)?$/.test(cut)
      const failures = [
        await failureAfter(1, cut, 'end'),
        await failureAfter(1, cut, 'resetAndDestroy'),
      ]
      expect(failures.map((failure) => failure instanceof StaleConnectionError)).toEqual([
        isStale,
        isStale,
      ])
    },
  )

  it('completes a body without a length, unless it is reset', async () => {
    expect(await failureAfter(0, `${OK}\r\nok`, 'end')).toBe('ok')
    expect(await failureAfter(0, `${OK}\r\nok`, 'resetAndDestroy')).toMatchObject({
      code: 'ECONNRESET',
    })
  })
})

describe('a listener that pauses reading', () => {
  it.each(['http', 'https'])('gets no further data over %s before it resumes', async (scheme) => {
    const certificate = scheme === 'https' ? await selfSigned() : undefined
    const body = 'x'.repeat(1_000_000)
    const server = await serveRaw(
      (socket) => socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n${body}`),
      certificate,
    )
    const { pool } = openTestPool()
    const response = dispatch(pool, server.url, {}, (callback, control) => {
      if (callback === 'onResponseData') control?.pause()
    })
    await expect.poll(() => response.body.length).toBeGreaterThan(0)
    while (!response.isDone) {
      const { length } = response.body
      for (let turn = 0; turn < 3; turn++) await nextTurn()
      expect(response.body).toHaveLength(length)
      response.control?.resume()
      while (!response.control?.paused && !response.isDone) await nextTurn()
    }
    expect(await response.whole).toBe(body)
  })

  it.each([
    ['a length', (body: string) => `${OK}Content-Length: ${body.length}\r\n\r\n${body}`],
    ['no length', (body: string) => `${OK}Connection: close\r\n\r\n${body}`],
  ])(
    'gets all of a body with %s, even if the server has closed TLS meanwhile',
    async (_, answer) => {
      const body = Array.from({ length: 3_000 }, (__, line) => `line ${line}\n`).join('')
      const server = await serveRaw(
        (socket) => {
          socket.cork()
          socket.end(answer(body))
        },
        await selfSigned(),
      )
      const { pool } = openTestPool()
      let isFirst = true
      const response = dispatch(pool, server.url, {}, (callback, control) => {
        if (callback !== 'onResponseData' || !isFirst) return
        isFirst = false
        control?.pause()
        setTimeout(() => control?.resume(), 50)
      })
      expect(await response.whole).toBe(body)
    },
  )

  it('and resumes while it receives bytes gets all of them in order', async () => {
    const { response, receive } = unconnected()
    let turn = 0
    const listener = response((callback, control) => {
      if (callback !== 'onResponseData') return
      control?.pause()
      if (turn++ > 0) control?.resume()
    })
    receive(`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`)
    receive('1\r\nb\r\n1\r\nc\r\n')
    receive('1\r\nd\r\n0\r\n\r\n')
    expect(listener.body).toBe('a')
    listener.control?.resume()
    expect(await listener.whole).toBe('abcd')
  })

  it('and never resumes leaves a connection that can be used again', async () => {
    const server = await serveRaw((socket) => socket.write(TWO))
    const { pool } = openTestPool()
    const during = (callback: string, control: RecordedResponse['control']) => {
      if (callback === 'onResponseData') control?.pause()
    }
    expect(await dispatch(pool, server.url, {}, during).whole).toBe('ok')
    await nextTurn()
    await nextTurn()
    expect(await getFrom(pool, server.url)).toBe('ok')
    expect(server.connections).toBe(1)
  })

  it('and never resumes leaves a connection that still notices its end', async () => {
    const server = await serveRaw((socket) => {
      socket.write(TWO)
      setTimeout(() => socket.end(), 20)
    })
    const { pool, sockets } = openTestPool()
    const during = (callback: string, control: RecordedResponse['control']) => {
      if (callback === 'onResponseData') control?.pause()
    }
    await dispatch(pool, server.url, {}, during).whole
    await expect.poll(() => sockets[0]?.destroyed).toBe(true)
  })
})

describe('a response that starts before its request', () => {
  it('closes an idle connection', async () => {
    const server = await serveRaw(() => {})
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    const connection = new Connection(socket, EVENTS)
    socket.emit('data', Buffer.from(TWO))
    expect(connection.isOpen).toBe(false)
  })
})
