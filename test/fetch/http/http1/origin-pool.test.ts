import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serveRaw } from '../../../support/serve.ts'
import { connectAnywhere, openTestPool } from './open-test-pool.ts'
import { dispatch, getFrom } from './recorded-response.ts'
import { answer, failuresOf, pathOf, servePaths } from './serve-paths.ts'

describe('requests to one origin', () => {
  it('are sent in order, on as many connections as are allowed', async () => {
    const server = await serveRaw(async (socket, head) => {
      await sleep(5)
      socket.write(answer(pathOf(head)))
    })
    const { pool } = openTestPool({ perOrigin: 2 })
    const paths = Array.from({ length: 12 }, (_, page) => `/${page}`)
    const bodies = await Promise.all(paths.map((path) => getFrom(pool, server.url, { path })))
    expect(bodies).toEqual(paths)
    expect(server.heads.map(pathOf)).toEqual(paths)
    expect(server.connections).toBe(2)
  })

  it('use the connection of the latest response first', async () => {
    const server = await servePaths()
    const { pool } = openTestPool({ perOrigin: 3 })
    await Promise.all(['/a', '/b', '/c'].map((path) => getFrom(pool, server.url, { path })))
    for (let i = 0; i < 3; i++) {
      await nextTurn()
      await getFrom(pool, server.url)
    }
    expect(server.connections).toBe(3)
  })

  it('may be sent in the callback for the end of a response', async () => {
    const server = await servePaths()
    const { pool } = openTestPool()
    const second = Promise.withResolvers<string>()
    dispatch(pool, server.url, { path: '/first' }, (callback) => {
      if (callback === 'onResponseEnd') {
        getFrom(pool, server.url, { path: '/second' }).then(second.resolve, second.reject)
      }
    })
    expect(await second.promise).toBe('/second')
    expect(server.connections).toBe(1)
  })

  it('wait for a connection that was just used, rather than open another', async () => {
    const server = await servePaths()
    const { pool } = openTestPool({ perOrigin: 4 })
    for (let page = 0; page < 5; page++) await getFrom(pool, server.url, { path: `/${page}` })
    expect(server.connections).toBe(1)
  })

  it('continue after one fails, at any stage', async () => {
    const server = await serveRaw((socket, head) => {
      const path = pathOf(head)
      if (path === '/reset') socket.resetAndDestroy()
      else if (path === '/end') socket.end()
      else if (path === '/half') socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')
      else if (path === '/odd') socket.write('220 mail.test\r\n')
      else socket.write(answer(path, path === '/close' ? 'Connection: close\r\n' : ''))
    })
    const { pool, sockets } = openTestPool()
    const paths = ['/reset', '/1', '/end', '/2', '/half', '/3', '/odd', '/4', '/close', '/5']
    const responses = paths.map((path) => dispatch(pool, server.url, { path }))
    const results = await failuresOf(responses)
    // Requests on a reused connection may be sent once more.
    expect(results.filter((result) => typeof result === 'string')).toEqual([
      '/1',
      '/2',
      '/3',
      '/4',
      '/close',
      '/5',
    ])
    expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(1)
  })

  it('that are aborted while they wait are not sent', async () => {
    const server = await serveRaw(async (socket, head) => {
      await sleep(20)
      socket.write(answer(pathOf(head)))
    })
    const { pool } = openTestPool()
    const first = getFrom(pool, server.url, { path: '/first' })
    const late = dispatch(pool, server.url, { path: '/late' })
    const last = getFrom(pool, server.url, { path: '/last' })
    late.isDone = true
    expect(await Promise.all([first, last])).toEqual(['/first', '/last'])
    expect(server.heads.map(pathOf)).toEqual(['/first', '/last'])
  })

  it('that are aborted while they connect leave the connection to others', async () => {
    const server = await servePaths()
    const { pool } = openTestPool()
    const late = dispatch(pool, server.url, { path: '/late' })
    const next = getFrom(pool, server.url, { path: '/next' })
    late.isDone = true
    expect(await next).toBe('/next')
    expect(server.heads.map(pathOf)).toEqual(['/next'])
    expect(server.connections).toBe(1)
  })

  it('that are aborted while they connect leave an idle connection for later ones', async () => {
    const server = await servePaths()
    const { pool, sockets } = openTestPool()
    dispatch(pool, server.url, { path: '/late' }).isDone = true
    await expect.poll(() => sockets.length).toBe(1)
    expect(await getFrom(pool, server.url, { path: '/next' })).toBe('/next')
    expect(server.connections).toBe(1)
  })
})

describe('a request that needs a new connection', () => {
  it('gets one, even if idle connections use all places', async () => {
    const server = await servePaths()
    const { pool } = openTestPool()
    await getFrom(pool, server.url)
    await nextTurn()
    await nextTurn()
    const started = performance.now()
    expect(await getFrom(pool, server.url, { path: '/own', isFresh: true })).toBe('/own')
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(server.connections).toBe(2)
  })

  it('leaves no connection behind, even if the server would keep it', async () => {
    const server = await servePaths()
    const { pool, sockets } = openTestPool()
    await getFrom(pool, server.url, { isFresh: true })
    await getFrom(pool, server.url)
    expect(server.connections).toBe(2)
    expect(sockets[0]?.destroyed).toBe(true)
    expect(server.heads.map((head) => /^connection: (.*)$/m.exec(head)?.[1])).toEqual([
      'close',
      'keep-alive',
    ])
  })

  it('takes its turn among others', async () => {
    const server = await servePaths()
    const { pool } = openTestPool({ perOrigin: 2 })
    const paths = Array.from({ length: 20 }, (_, page) => `/${page}`)
    const bodies = paths.map((path, page) =>
      getFrom(pool, server.url, { path, isFresh: page % 3 === 0 }),
    )
    expect(await Promise.all(bodies)).toEqual(paths)
    for (const [page, path] of paths.entries()) {
      expect(Math.abs(server.heads.findIndex((head) => pathOf(head) === path) - page)).toBeLessThan(
        3,
      )
    }
  })
})

describe('a reused connection', () => {
  /** Sends a request in the same turn of the event loop in which the server acts. */
  async function afterUnasked(act: (socket: Socket) => void) {
    const accepted: Socket[] = []
    const server = await serveRaw((socket, head) => {
      accepted.push(socket)
      socket.write(answer(pathOf(head)))
    })
    const { pool } = openTestPool()
    await getFrom(pool, server.url, { path: '/first' })
    await sleep(10)
    await nextTurn()
    // It is in the system's buffers at once, and read in the next turn.
    for (const socket of accepted) act(socket)
    const response = dispatch(pool, server.url, { path: '/second' })
    return { server, response }
  }

  it('is not used after an unsolicited response', async () => {
    const { response, server } = await afterUnasked((socket) => socket.write(answer('unasked')))
    expect(await response.whole).toBe('/second')
    expect(server.connections).toBe(2)
  })

  it('is not used after the server has closed it', async () => {
    const { response, server } = await afterUnasked((socket) => socket.resetAndDestroy())
    expect(await response.whole).toBe('/second')
    expect(server.connections).toBe(2)
  })

  it('may have received some line ends, but no flood of them', async () => {
    const { response, server } = await afterUnasked((socket) => socket.write('\r\n'))
    expect(await response.whole).toBe('/second')
    expect(server.connections).toBe(1)
    const flooded = await afterUnasked((socket) => socket.write('\r\n'.repeat(40_000)))
    expect(await flooded.response.whole).toBe('/second')
    expect(flooded.server.connections).toBe(2)
  })

  it('is not used after an unsolicited response in the same read as the last one', async () => {
    const server = await serveRaw((socket, head) =>
      socket.write(answer(pathOf(head)) + answer('unasked')),
    )
    const { pool } = openTestPool()
    for (const path of ['/1', '/2', '/3']) {
      expect(await getFrom(pool, server.url, { path })).toBe(path)
    }
    expect(server.connections).toBe(3)
  })

  it("is closed instead if the server's keep-alive time is over", async () => {
    const server = await serveRaw((socket, head) =>
      socket.write(answer(pathOf(head), 'Keep-Alive: timeout=3\r\n')),
    )
    const { pool } = openTestPool()
    await getFrom(pool, server.url)
    // A thread that is busy for a long time runs no timer meanwhile.
    await nextTurn()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_050)
    await getFrom(pool, server.url)
    expect(server.connections).toBe(2)
  })
})

describe("a connection that can't be opened", () => {
  it('fails its own request only, and waiting requests open others', async () => {
    let calls = 0
    const { pool } = openTestPool({
      connect: (_, callback) => callback(new Error(`refused ${++calls}`), null),
    })
    const responses = Array.from({ length: 3 }, () => dispatch(pool, 'http://a.test'))
    const failures = await failuresOf(responses)
    expect(failures.map(String)).toEqual([1, 2, 3].map((n) => `Error: refused ${n}`))
  })

  it('uses no stack, however many requests wait and however fast it fails', async () => {
    const failures: ((error: Error) => void)[] = []
    let isFirst = true
    const { pool } = openTestPool({
      connect: (_, callback) => {
        const fail = (error: Error) => callback(error, null)
        if (isFirst) failures.push(fail)
        else fail(new Error('at once'))
        isFirst = false
      },
    })
    const responses = Array.from({ length: 10_000 }, () => dispatch(pool, 'http://a.test'))
    failures[0]?.(new Error('late'))
    const results = await failuresOf(responses)
    expect(new Set(results.map(String))).toEqual(new Set(['Error: late', 'Error: at once']))
  })

  it('frees its place if the connector throws', async () => {
    const { url } = await servePaths()
    let calls = 0
    const { pool } = openTestPool({
      connect: (target, callback) => {
        if (++calls === 1) throw new Error('no connector')
        connectAnywhere(target, callback)
      },
    })
    await expect(getFrom(pool, url)).rejects.toThrow('no connector')
    expect(await getFrom(pool, url, { path: '/next' })).toBe('/next')
  })

  it('fails its request if it is closed as soon as it is open', async () => {
    const { url, port } = await servePaths()
    let isFirst = true
    const { pool } = openTestPool({
      connect: async (target, callback) => {
        if (!isFirst) return void connectAnywhere(target, callback)
        isFirst = false
        const socket = connect(port, '127.0.0.1')
        await once(socket, 'connect')
        await once(socket.destroy(), 'close')
        callback(null, socket)
      },
    })
    const [first, second] = [dispatch(pool, url), dispatch(pool, url, { path: '/next' })]
    await expect(first.whole).rejects.toMatchObject({ code: 'connection-reset' })
    expect(await second.whole).toBe('/next')
  })
})
