import { createRequire } from 'node:module'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serveRaw } from '../../../support/serve.ts'
import { openTestFetcher } from '../../open-test-fetcher.ts'

/** The queue of undici that takes 16 KiB. */
const FixedQueue: { prototype: { push(request: unknown): void } } = createRequire(import.meta.url)(
  'undici/lib/dispatcher/fixed-queue.js',
)
const answer = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

it('uses no queue of 16 KiB for each origin, and requests beyond the connections wait in their order', async () => {
  const paths: string[] = []
  const { url } = await serveRaw((socket, request) => {
    paths.push(/GET (\S+)/.exec(String(request))?.[1] ?? '')
    setTimeout(() => socket.write(answer('x')), 5)
  })
  const push = vi.spyOn(FixedQueue.prototype, 'push')
  onTestFinished(() => push.mockRestore())
  const client = openTestFetcher({ concurrency: 2 })
  const asked = Array.from({ length: 12 }, (_, page) => `/${page}`)
  await Promise.all(asked.map((path) => client.get({ url: `${url}${path}`, maxBody: 10 })))
  expect(paths).toEqual(asked)
  expect(push).not.toHaveBeenCalled()
})
