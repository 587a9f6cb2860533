import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { readBytes } from '../../../../src/fetch/http/connections/read-bytes.ts'
import { listen } from '../../../support/listen.ts'

it('bytes that arrive in pieces are read without blocking the thread, and those after them stay', async () => {
  const server = createServer(async (socket) => {
    for (const piece of ['a', 'b', 'cd']) {
      socket.write(piece)
      await sleep(50)
    }
    socket.end()
  })
  const socket = connect(await listen(server))
  onTestFinished(() => void server.close())
  await once(socket, 'connect')
  expect((await readBytes(socket, 3)).toString()).toBe('abc')
  expect((await readBytes(socket, 1)).toString()).toBe('d')
  await expect(readBytes(socket, 1)).rejects.toThrow('the connection was closed')
})
