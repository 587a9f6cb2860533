import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../../src/config/schema.ts'
import { startCrawl } from '../../../src/crawl/start-crawl.ts'
import { TUNING } from '../../../src/crawl/tuning.ts'
import { silentLogger } from '../../../src/logger.ts'
import type { Output, OutputEvents } from '../../../src/output/output.ts'
import type { Delivery } from '../../../src/records/visit-attachments.ts'
import type { Positions } from '../../../src/state/ledger.ts'
import { storeSettings } from '../../../src/state/resume-settings.ts'
import { StateDirectory } from '../../../src/state/state-directory.ts'
import { serveTree } from '../../cli/tree-site.ts'
import { ask, useFolder } from '../../support/state-run.ts'

const path = useFolder()
const done = () => Number(ask(path('state'), 'SELECT count(*) AS count FROM visits')[0]?.['count'])

/** An output whose records are durable only after `sync`, and never again after a number of syncs. */
class Watched implements Output {
  readonly congested = false
  readonly #failAt: number
  #written = 0
  #syncs = 0
  durable = 0
  /** Number of commits whose records were not durable. */
  tooEarly = 0
  events: OutputEvents | undefined

  constructor(failAt = Number.POSITIVE_INFINITY) {
    this.#failAt = failAt
  }

  open(events: OutputEvents): void {
    this.events = events
  }

  write(visits: readonly Delivery[]): void {
    this.#look()
    this.#written += visits.length
  }

  async sync(): Promise<Positions> {
    this.#look()
    if (++this.#syncs >= this.#failAt) throw new Error('the disk is gone')
    this.durable = this.#written
    return {}
  }

  async finish(): Promise<void> {}

  async close(): Promise<void> {}

  #look(): void {
    // Before the first commit, other connections see no table.
    if (this.#syncs > 1 && done() > this.durable) this.tooEarly++
  }
}

/** An output on a slow disk. */
class Slow extends Watched {
  static readonly SYNC_MS = 60
  /** Milliseconds from the end of each sync to the next one. */
  readonly pauses: number[] = []
  #endedAt = performance.now()

  override async sync(): Promise<Positions> {
    this.pauses.push(performance.now() - this.#endedAt)
    await sleep(Slow.SYNC_MS)
    this.#endedAt = performance.now()
    return super.sync()
  }
}

async function crawlTo(visits: Output, settings: ConfigInput = {}) {
  const site = await serveTree(60)
  const seeds = [`${site.url}/1`]
  const input = { seeds, depth: 99, workers: 2, concurrency: 1, perHost: 2, ...settings }
  const config = resolveConfig(input)
  const directory = StateDirectory.open(path('state'))
  storeSettings(directory, config, input)
  const tuning = { ...TUNING, commitEvery: 1, snapshotEvery: 10 }
  return startCrawl(config, { visits, directory }, silentLogger(), tuning).finished
}

it('visits are committed after their records are durable, never before', async () => {
  const output = new Watched()
  expect(await crawlTo(output)).toMatchObject({ reason: 'finished', visits: 60 })
  expect([output.tooEarly, output.durable, done()]).toEqual([0, 60, 60])
})

it('no visit is committed after records could not be made durable', async () => {
  const output = new Watched(4)
  await expect(crawlTo(output)).rejects.toThrow('the disk is gone')
  expect(done()).toBe(output.durable)
})

it('on a slow disk, commits pause for three times as long as they take, so that visits go on', async () => {
  const output = new Slow()
  await crawlTo(output, { delay: '15ms' })
  // The last commit doesn't wait, as the crawl is over.
  const regular = output.pauses.slice(1, -1)
  expect(regular.length).toBeGreaterThan(0)
  expect(Math.min(...regular)).toBeGreaterThan(2.5 * Slow.SYNC_MS)
})

it('a snapshot of a seen set that --force has replaced is forgotten', async () => {
  await crawlTo(new Watched(), { maxPages: 8 })
  const snapshot = () => {
    const [row] = ask(
      path('state'),
      "SELECT value ->> '$.snapshot' AS file FROM crawl WHERE name = 'ledger'",
    )
    return row?.['file']
  }
  expect(snapshot()).toContain('.snapshot')
  const forced = crawlTo(new Watched(2), { seen: 'exact', force: true })
  await expect(forced).rejects.toThrow('the disk is gone')
  expect(snapshot()).toBe(null)
})
