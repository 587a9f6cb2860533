import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lastingPort, listen } from './listen.ts'
import { RedisCluster } from './redis-cluster.ts'
import { RedisServer } from './redis-server.ts'
import { chosen } from './soak.ts'

const occupant = createServer()
let takenPort: number

beforeAll(async () => {
  takenPort = await listen(occupant)
})

afterAll(() => void occupant.close())

/** Returns a function that chooses a port: a taken one at its `turn`-th call, otherwise free ones. */
function takenAt(turn: number): () => Promise<number> {
  let choices = 0
  return async () => (choices++ === turn ? takenPort : lastingPort())
}

it('a server starts on another port if its own was taken meanwhile', async () => {
  const server = await RedisServer.onPortOf(takenAt(0))
  expect(server.port).not.toBe(takenPort)
  expect(await server.ask('PING')).toBe('PONG\n')
  await server.close()
})

const TURNS: [port: string, turn: number][] = [
  ['for clients', 2],
  ['for other nodes', 3],
]

it.each(chosen(TURNS, ([, turn]) => turn === 3))(
  'a cluster starts on other ports if one %s was taken meanwhile',
  async (_, turn) => {
    const cluster = await RedisCluster.onPortsOf(takenAt(turn))
    expect(await cluster.ask('PING')).toBe('PONG\n'.repeat(3))
    await cluster.close()
  },
)

it("a server that can't start for another reason fails", async () => {
  await expect(RedisServer.start('--no-such-option', '1')).rejects.toThrow('redis-server ended')
})
