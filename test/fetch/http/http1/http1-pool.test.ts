import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StaleConnectionError } from '../../../../src/fetch/http/connections/stale-connection.ts'
import { serveRaw } from '../../../support/serve.ts'
import { openTestPool } from './open-test-pool.ts'
import { dispatch, getFrom } from './recorded-response.ts'
import { answer, failuresOf, pathOf, servePaths } from './serve-paths.ts'

describe('closing idle connections', () => {
  it('closes them at once, and the others after their response', async () => {
    const server = await serveRaw(async (socket, head) => {
      if (pathOf(head) === '/slow') await sleep(50)
      socket.write(answer(pathOf(head)))
    })
    const { pool, sockets } = openTestPool({ perOrigin: 2 })
    const slow = getFrom(pool, server.url, { path: '/slow' })
    await getFrom(pool, server.url)
    pool.closeIdle()
    expect(sockets.map(({ destroyed }) => destroyed).sort()).toEqual([false, true])
    expect(await slow).toBe('/slow')
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })

  it('closes connections that are being opened after their response', async () => {
    const server = await servePaths()
    const { pool, sockets } = openTestPool()
    const response = getFrom(pool, server.url)
    pool.closeIdle()
    await response
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  it('sends a request that was about to use an idle connection on another one', async () => {
    const server = await servePaths()
    const { pool } = openTestPool()
    await getFrom(pool, server.url)
    await nextTurn()
    const response = getFrom(pool, server.url, { path: '/next' })
    pool.closeIdle()
    expect(await response).toBe('/next')
    expect(server.connections).toBe(2)
  })
})

describe('a pool that is destroyed', () => {
  it.each(['connects', 'waits for a response', 'is about to use an idle connection'])(
    'fails all requests at once while it %s, and leaves no open socket',
    async (state) => {
      const { url, heads } = await servePaths()
      const { pool, sockets } = openTestPool()
      if (state === 'is about to use an idle connection') {
        await getFrom(pool, url)
        await nextTurn()
      }
      const responses = ['/silent', '/waiting'].map((path) => dispatch(pool, url, { path }))
      if (state === 'waits for a response') await expect.poll(() => heads.length).toBe(1)
      await pool.destroy()
      expect(responses.map(({ calls }) => calls.at(-1))).toEqual(['fail', 'fail'])
      expect(await failuresOf(responses)).toMatchObject(
        [1, 2].map(() => ({ code: 'connection-reset', message: 'the fetcher was closed' })),
      )
      await expect.poll(() => sockets.length).toBe(1)
      await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
    },
  )

  it('accepts no further requests', async () => {
    const server = await servePaths()
    const { pool } = openTestPool()
    await getFrom(pool, server.url)
    await pool.destroy()
    await expect(getFrom(pool, server.url)).rejects.toMatchObject({ code: 'connection-reset' })
    expect(server.connections).toBe(1)
  })

  it('accepts no request that a listener sends when it fails', async () => {
    const server = await servePaths()
    const { pool } = openTestPool()
    const again: Promise<unknown>[] = []
    const during = (callback: string) => {
      if (callback === 'fail') again.push(getFrom(pool, server.url).catch((error) => error))
    }
    for (const path of ['/silent', '/waiting']) dispatch(pool, server.url, { path }, during)
    await expect.poll(() => server.heads.length).toBe(1)
    await pool.destroy()
    expect(await Promise.all(again)).toHaveLength(2)
    expect(server.connections).toBe(1)
  })
})

describe('a listener that throws', () => {
  it.each(['onRequestStart', 'onResponseStart', 'onResponseData', 'onResponseEnd'] as const)(
    'in %s fails with its error, and the next request is sent',
    async (throwing) => {
      const server = await servePaths()
      const { pool } = openTestPool()
      await getFrom(pool, server.url)
      const broken = dispatch(pool, server.url, { path: '/broken' }, (callback) => {
        if (callback === throwing) throw new Error(`in ${callback}`)
      })
      const next = getFrom(pool, server.url, { path: '/next' })
      expect(await next).toBe('/next')
      expect(broken.calls.at(-1)).toBe('fail')
      expect(broken.failure).toEqual(new Error(`in ${throwing}`))
      expect(broken.failure).not.toBeInstanceOf(StaleConnectionError)
    },
  )

  it('in its fail callback is reported, and the next requests are sent', async () => {
    const server = await servePaths()
    const { pool } = openTestPool()
    const uncaught: unknown[] = []
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => {
      uncaught.push(error)
    })
    onTestFinished(() => {
      process.removeAllListeners('uncaughtException')
      for (const listener of listeners) process.on('uncaughtException', listener)
    })
    dispatch(pool, server.url, { path: '/broken' }, (callback) => {
      if (callback !== 'onRequestStart') throw new Error(`in ${callback}`)
    })
    expect(await getFrom(pool, server.url, { path: '/next' })).toBe('/next')
    expect(uncaught).toEqual([new Error('in fail')])
  })
})
