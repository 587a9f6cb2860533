import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { KeptConnections } from '../../../../src/fetch/http/connections/kept-connections.ts'
import { Http1Pool } from '../../../../src/fetch/http/http1/http1-pool.ts'
import { collect } from '../../../../src/runtime/collect-garbage.ts'
import { serveRaw } from '../../../support/serve.ts'
import { openTestFetcher } from '../../open-test-fetcher.ts'
import { getFrom } from '../http1/recorded-response.ts'

const ANSWER = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 1\r\n\r\nx'

async function startServers(count: number) {
  const open = { now: 0 }
  const started = Array.from({ length: count }, () => {
    return serveRaw((socket) => {
      if (socket.listenerCount('close', leave) === 0) open.now++
      socket.off('close', leave).once('close', leave)
      socket.write(ANSWER)
    })
  })
  const leave = () => void open.now--
  return { servers: await Promise.all(started), open }
}

/** Opens a pool, with weak references to the parts of each connection. */
function openPool(maxKept: number) {
  const parts: WeakRef<object>[] = []
  const sockets: Socket[] = []
  const pool = new Http1Pool({
    connect(target, callback) {
      const socket = connect(Number(target.port), target.hostname)
      parts.push(new WeakRef(target), new WeakRef(socket))
      sockets.push(socket)
      socket.once('connect', () => callback(null, socket))
    },
    perOrigin: 2,
    kept: new KeptConnections(maxKept),
    onRead: undefined,
  })
  onTestFinished(() => pool.destroy())
  return { pool, parts, sockets }
}

it('the connection that was idle longest is closed, beyond the maximum', async () => {
  const { servers, open } = await startServers(12)
  const client = openTestFetcher({ concurrency: 1, maxIdle: 3 })
  const getAll = async () => {
    for (const { url } of servers) await client.get({ url: `${url}/`, maxBody: 10 })
  }
  await getAll()
  await expect.poll(() => open.now).toBe(4)
  await getAll()
  // If all were visited in a fixed order, each would be closed just before its turn.
  expect(servers.map(({ connections }) => connections)).toEqual(servers.map(() => 2))
  for (const { url } of servers.slice(-3)) await client.get({ url: `${url}/`, maxBody: 10 })
  expect(servers.slice(-3).map(({ connections }) => connections)).toEqual([2, 2, 2])
  await expect.poll(() => open.now).toBe(4)
})

it('no memory is kept for an origin whose connections were closed', async () => {
  const { servers } = await startServers(4)
  const { pool, parts, sockets } = openPool(1)
  for (const { url } of servers) await getFrom(pool, url)
  await Promise.all(sockets.slice(0, 3).map(async (each) => each.closed || once(each, 'close')))
  sockets.length = 0
  const alive = () => parts.filter((part) => part.deref() !== undefined)
  // Node releases a socket a few turns after its end.
  for (let turn = 0; turn < 50 && alive().length > 2; turn++) {
    await nextTurn()
    collect({ type: 'major' })
  }
  // The target and the socket of the last connection remain.
  expect(alive()).toEqual(parts.slice(-2))
})

it("a connection is closed after its server's keep-alive time, but not while it is busy", () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const kept = new KeptConnections(10)
  const closed: string[] = []
  const use = (name: string, isIdle: boolean, ms: number) => {
    const close = () => {
      closed.push(name)
      kept.closed(connection)
    }
    const connection = { isIdle, idleUntil: performance.now() + ms, close }
    kept.used(connection)
  }
  use('a second', true, 1_000)
  use('three seconds', true, 3_000)
  use('busy', false, 0)
  vi.advanceTimersByTime(900)
  expect(closed).toEqual([])
  vi.advanceTimersByTime(600)
  expect(closed).toEqual(['a second'])
  vi.advanceTimersByTime(2_000)
  expect(closed).toEqual(['a second', 'three seconds'])
})
