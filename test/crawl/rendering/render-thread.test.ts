import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { RenderThread } from '../../../src/crawl/rendering/render-thread.ts'
import { findBrowser } from '../../../src/render/browser/find-browser.ts'

/** Milliseconds after which the thread is ended by force. */
const GRACE_MS = 5_000

it('the render thread ends by itself while a page waits for a file', async () => {
  const loading = Promise.withResolvers<void>()
  const died = Promise.withResolvers<never>()
  const options = { pages: 1, timeout: 60_000, maxHtml: 1_000, interact: false, loadsImages: false }
  const thread = new RenderThread(
    { browser: findBrowser(undefined), ...options },
    {
      event: ({ type }) => {
        if (type === 'load') loading.resolve()
      },
      died: died.reject,
    },
  )
  const body = Buffer.from(`<!DOCTYPE html><body><script>fetch('/silent')</script>`)
  const page = { url: 'https://one.test/', headers: { 'content-type': 'text/html' }, body }
  thread.post({ type: 'render', id: 1, page, signs: 0 })
  await Promise.race([loading.promise, died.promise])
  // Now the page waits for nothing else.
  await sleep(1_500)
  const started = performance.now()
  await thread.end()
  expect(performance.now() - started).toBeLessThan(GRACE_MS)
})
