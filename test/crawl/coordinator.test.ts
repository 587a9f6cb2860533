import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { startCrawl } from '../../src/crawl/start-crawl.ts'
import { silentLogger } from '../../src/logger.ts'
import type { Output, OutputEvents } from '../../src/output/output.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

/** An output that fails as soon as it is opened, and is slow to sync. */
const failing: Output = {
  congested: false,
  open: ({ failed }: OutputEvents) => failed(new Error('no luck')),
  write() {},
  async sync() {
    await sleep(50)
    return {}
  },
  async finish() {},
  async close() {},
}

it('a failure at the start of a crawl rejects its finished promise', async () => {
  const config = resolveConfig({ seeds: ['http://127.0.0.1:9/'], workers: 1 })
  const directory = StateDirectory.open(path('state'))
  const { finished } = startCrawl(config, { visits: failing, directory }, silentLogger())
  await expect(finished).rejects.toThrow('no luck')
})

it('a crawl that fails reports its own error, even if closing its outputs fails, too', async () => {
  const config = resolveConfig({ seeds: ['http://127.0.0.1:9/'], workers: 1 })
  const close = () => Promise.reject(new Error('not closed'))
  const { finished } = startCrawl(config, { visits: { ...failing, close } }, silentLogger())
  await expect(finished).rejects.toThrow('no luck')
})

it('stopping a finished crawl starts no timer, so the process can end', async () => {
  const config = resolveConfig({ seeds: ['http://127.0.0.1:9/'], workers: 1 })
  const crawl = startCrawl(config, { visits: failing }, silentLogger())
  await expect(crawl.finished).rejects.toThrow('no luck')
  const before = timers()
  crawl.stop()
  expect(timers()).toBe(before)
})

it('the output is completed even if the URLs that were left out cannot be listed', async () => {
  const site = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<a href=/2>')
  })
  const fail = () => {
    throw new Error('no disk')
  }
  const close = vi.fn(async () => {})
  const visits = { ...failing, open() {}, close }
  const skipped = { ...failing, open() {}, write: fail }
  const settings = { seeds: [`${site.url}/1`], ignoreRobots: true, maxPages: 1 }
  const { finished } = startCrawl(resolveConfig(settings), { visits, skipped }, silentLogger())
  await expect(finished).rejects.toThrow('no disk')
  expect(close).toHaveBeenCalledOnce()
})

it('no further worker starts once the reader of the output has gone', async () => {
  const links = Array.from({ length: 400 }, (_, page) => `<a href=/${page}>`).join('')
  const site = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(links)
  })
  const settings = { ignoreRobots: true, workers: 2, concurrency: 1 }
  const config = resolveConfig({ ...settings, seeds: [`${site.url}/`] })
  const started = vi.fn()
  process.on('worker', started)
  const { reason } = await startCrawl(config, { visits: leaving() }, silentLogger()).finished
  process.off('worker', started)
  expect([reason, started.mock.calls.length]).toEqual(['output-closed', 1])
})

/** Returns an output whose reader leaves at the first visit. */
function leaving(): Output {
  let closed = () => {}
  return {
    congested: false,
    open: (events: OutputEvents) => {
      closed = () => events.closed()
    },
    write: () => closed(),
    sync: async () => ({}),
    async finish() {},
    async close() {},
  }
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}
