import { createRequire } from 'node:module'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serveHttp2 } from '../../../support/http2-server.ts'
import { openTestFetcher } from '../../open-test-fetcher.ts'

/** The queue of undici that takes 16 KiB. */
const FixedQueue: { prototype: { push(request: unknown): void } } = createRequire(import.meta.url)(
  'undici/lib/dispatcher/fixed-queue.js',
)

it('uses no queue of 16 KiB for each origin, and requests beyond the streams wait in their order', async () => {
  const paths: string[] = []
  const { url } = await serveHttp2((stream, path) => {
    paths.push(path)
    stream.respond({ ':status': 200 })
    stream.end('x')
  })
  const push = vi.spyOn(FixedQueue.prototype, 'push')
  onTestFinished(() => push.mockRestore())
  const client = openTestFetcher({ insecure: true, concurrency: 1 })
  const asked = Array.from({ length: 12 }, (_, page) => `/${page}`)
  await Promise.all(asked.map((path) => client.get({ url: `${url}${path}`, maxBody: 10 })))
  expect(paths).toEqual(asked)
  expect(push).not.toHaveBeenCalled()
})
