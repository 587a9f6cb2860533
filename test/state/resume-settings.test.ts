import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { settingLabel } from '../../src/config/describe-config-errors.ts'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { type ConfigInput, isSettingName } from '../../src/config/schema.ts'
import type { Ledger } from '../../src/state/ledger.ts'
import { checkResumeSettings, storeSettings } from '../../src/state/resume-settings.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const seeds = ['http://a.test/']

/** The ledger of a crawl that has just begun. */
const LEDGER: Ledger = {
  ...{ progress: 'running', positions: {}, widened: [], deepest: 0, counters: [], skips: [] },
  ...{ cookies: [], seeds: { answered: 0, failures: [], joined: [] } },
  givenUp: { first: [], count: 0, hadAnswered: 0 },
  tally: {
    ...{ elapsedMs: 0, round: 1, visits: 0, visitsBefore: 0, bytes: 0, postponed: 0 },
    ...{ statuses: [], errors: [] },
  },
  seen: { added: 0, bytes: 0, fill: 0, falsePositiveRate: 0, expectedLost: 0 },
}

/** Runs a crawl with a state. Returns the settings that the next run reads. */
function run(input: ConfigInput): ConfigInput | undefined {
  const directory = StateDirectory.open(path('state'))
  try {
    const settings = { seeds, ...input }
    const config = resolveConfig(settings)
    checkResumeSettings(directory, config, () => 'some advice')
    storeSettings(directory, config, settings)
    directory.commit(LEDGER)
    return directory.saved?.input
  } finally {
    directory.close()
  }
}

it.each<ConfigInput>([
  { external: true },
  { assets: true },
  { traps: false },
  { hooks: 'hooks.js' },
  { text: true },
  { followDuplicates: false },
  { forgetAfter: '1d' },
  { format: 'csv' },
  { links: 'links.jsonl' },
  { saveBodies: 'mirror' },
  { screenshots: 'shots' },
])("a crawl can't be resumed with the changed setting %j", (changed) => {
  const name = Object.keys(changed).find(isSettingName) ?? 'seeds'
  run({})
  expect(() => run(changed)).toThrow(
    `expected the settings that its crawl began with, but ${settingLabel(name)} was`,
  )
  run({ ...changed, force: true })
  run(changed)
})

it('a crawl can be resumed with other limits, requests and logging', () => {
  run({})
  run({
    ...{ maxPages: 1, maxPerHost: 9, timeout: '1s', userAgent: 'bot/2', headers: { a: 'b' } },
    ...{ workers: 1, perHost: 1, delay: '1s', logLevel: 'error', overwrite: true },
  })
})

it('file names are stored as absolute paths', () => {
  const others = { cookies: 'd.txt', saveBodies: 'e', screenshots: 'f' }
  const files = { output: 'a.jsonl', skipped: 'b.jsonl', links: 'c.jsonl', ...others }
  run(files)
  expect(run(files)).toMatchObject({
    ...{ output: [resolve('a.jsonl')], skipped: resolve('b.jsonl') },
    ...{ links: resolve('c.jsonl'), cookies: resolve('d.txt'), saveBodies: resolve('e') },
    screenshots: resolve('f'),
  })
})
