import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { UndiciAgent } from '../../../../src/fetch/http/http2/undici.ts'
import { serveRaw } from '../../../support/serve.ts'
import { openTestFetcher } from '../../open-test-fetcher.ts'

const Agent: { readonly prototype: Pick<UndiciAgent, 'dispatch'> } = createRequire(import.meta.url)(
  'undici/lib/dispatcher/agent.js',
)
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

it('closes the connection that was idle for longest, beyond those that are kept, and keeps nothing of it', async () => {
  const { servers, open } = await startServers(12)
  const dispatch = vi.spyOn(Agent.prototype, 'dispatch')
  onTestFinished(() => dispatch.mockRestore())
  const client = openTestFetcher({ concurrency: 1, maxIdle: 3 })
  const getAll = async () => {
    for (const { url } of servers) await client.get({ url: `${url}/`, maxBody: 10 })
  }
  await getAll()
  while (open.now > 4) await sleep(5)
  await getAll()
  // In a round over all, each was closed before its turn came again.
  expect(servers.map(({ connections }) => connections)).toEqual(servers.map(() => 2))
  for (const { url } of servers.slice(-3)) await client.get({ url: `${url}/`, maxBody: 10 })
  expect(servers.slice(-3).map(({ connections }) => connections)).toEqual([2, 2, 2])
  while (open.now > 4) await sleep(5)
  expect(open.now).toBe(4)
  const pools: object = Reflect.get(Object(dispatch.mock.contexts.at(-1)), 'stats')
  expect(Object.keys(pools)).toHaveLength(4)
})
