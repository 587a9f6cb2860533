import { describe, expect, it } from 'vitest'
import { freePort } from '../../../support/listen.ts'
import { serve } from '../../../support/serve.ts'
import { openTestFetcher } from '../../open-test-fetcher.ts'

describe('a client with a low limit of connections', () => {
  it('requests from all hosts by closing idle connections', async () => {
    let open = 0
    let most = 0
    const hosts = await Promise.all(
      Array.from({ length: 6 }, () =>
        serve(({ socket }, response) => {
          if (socket.listenerCount('close', count) === 0) most = Math.max(most, ++open)
          socket.off('close', count).once('close', count)
          setTimeout(() => response.end('x'), 20)
        }),
      ),
    )
    function count(): void {
      open--
    }
    const client = openTestFetcher({ maxSockets: 2 })
    const requested = [...hosts, ...hosts].map(({ url }) =>
      client.get({ url: `${url}/`, maxBody: 10 }),
    )
    const statuses = (await Promise.all(requested)).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 12 }, () => 200))
    // The server notices slightly later that a connection was closed.
    expect(most).toBeLessThanOrEqual(4)
  })
  it('counts no connection that could not begin', async () => {
    const { url } = await serve((_, response) => response.end('x'))
    const secure = `https://127.0.0.1:${await freePort()}`
    const client = openTestFetcher({
      maxSockets: 1,
      timeout: 500,
      headerOrigins: [secure],
      certificates: { client: { certificate: 'none', key: 'none' } },
    })
    const failure = { name: 'FetchFailure', message: expect.stringContaining('PEM') }
    await expect(client.get({ url: `${secure}/`, maxBody: 10 })).rejects.toMatchObject(failure)
    expect(await client.get({ url: `${url}/`, maxBody: 10 })).toMatchObject({ status: 200 })
  })
})
