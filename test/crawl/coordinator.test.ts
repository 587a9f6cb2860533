import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { startCrawl } from '../../src/crawl/start-crawl.ts'
import { silentLogger } from '../../src/logger.ts'
import type { Output, OutputEvents } from '../../src/output/output.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
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

it('stopping a finished crawl starts no timer, so the process can end', async () => {
  const config = resolveConfig({ seeds: ['http://127.0.0.1:9/'], workers: 1 })
  const crawl = startCrawl(config, { visits: failing }, silentLogger())
  await expect(crawl.finished).rejects.toThrow('no luck')
  const before = timers()
  crawl.stop()
  expect(timers()).toBe(before)
})

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}
