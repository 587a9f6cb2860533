import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { serve } from '../support/serve.ts'
import { ENOUGH, openClient } from './open-client.ts'

const html = { 'content-type': 'text/html' }

describe('the bound on a body', () => {
  it('is exact, and told', async () => {
    const { url } = await serve((_, response) => void response.writeHead(200, html).end('12345'))
    const client = openClient()
    expect(await client.get(`${url}/`, 5)).toMatchObject({ bytes: 5, truncated: false })
    const cut = await client.get(`${url}/`, 4)
    expect(cut).toMatchObject({ bytes: 4, truncated: true })
    expect(cut.body?.toString()).toBe('1234')
  })

  it('ends a body that has no end', async () => {
    const chunk = Buffer.alloc(10_000, 'x')
    const { url } = await serve((_, response) => {
      response.writeHead(200, html)
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    const answer = await openClient().get(`${url}/`, 123_456)
    expect(answer).toMatchObject({ bytes: 123_456, truncated: true })
    expect(answer.body).toHaveLength(123_456)
  })

  it('holds for what a small body decodes to', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'))
    const { url } = await serve((_, response) =>
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(bomb),
    )
    const answer = await openClient().get(`${url}/`, 1_000)
    expect(answer).toMatchObject({ bytes: 1_000, truncated: true })
    expect(answer.body?.toString()).toBe('x'.repeat(1_000))
  })

  it('does not cut a body of that size whose coding made it longer', async () => {
    const noise = Buffer.from(Array.from({ length: 5_000 }, () => Math.floor(Math.random() * 256)))
    const { url } = await serve((_, response) =>
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync(noise)),
    )
    const answer = await openClient().get(`${url}/`, 5_000)
    expect(answer).toMatchObject({ bytes: 5_000, truncated: false })
  })

  it('leaves the client able to go on', async () => {
    const { url } = await serve((_, response) => void response.writeHead(200, html).end('12345'))
    const client = openClient({ concurrency: 1 })
    for (let i = 0; i < 5; i++) await client.get(`${url}/`, 1)
    expect(await client.get(`${url}/`, ENOUGH)).toMatchObject({ bytes: 5 })
  })
})
