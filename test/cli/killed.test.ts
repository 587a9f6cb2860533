import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { expect, it, onTestFinished } from 'vitest'
import { startFlakySite } from '../support/flaky-site.ts'
import { torture } from '../support/kill-torture.ts'
import { seededRandom } from '../support/random.ts'
import { BIN } from '../support/run-cli.ts'
import { IN_SOAK } from '../support/soak.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'
import { unzstd } from '../support/unzstd.ts'

const KILLS = IN_SOAK ? 4 : 2
const path = useFolder()

// bench/kill-torture.ts is the long version.
it('a crawl that is killed repeatedly writes each URL once', async () => {
  const site = await startFlakySite(250, 3)
  onTestFinished(() => site.close())
  const flags = ['-q', '--no-traps', '-d', '999', '-w', '2', '-c', '1', '--retries', '1']
  const names = ['out.jsonl', 'out.csv', 'packed.jsonl.gz', 'packed.csv.zst']
  const kept = [...names.flatMap((name) => ['-o', path(name)]), '--state', path('state')]
  const textOf = (name: string, decompress: (bytes: Buffer) => Buffer) => {
    const bytes = existsSync(path(name)) ? readFileSync(path(name)) : Buffer.alloc(0)
    return bytes.length === 0 ? '' : decompress(bytes).toString()
  }
  const inspect = () => {
    expect(textOf('packed.jsonl.gz', gunzipSync)).toMatch(/^$|\n$/)
    expect(textOf('packed.csv.zst', unzstd)).toMatch(/^$|\n$/)
  }
  const command = () => [BIN, site.seed, ...flags, ...kept]
  const ordeal = await torture({
    ...{ site, folder: path(), command, kills: KILLS, random: seededRandom(11), inspect },
  })
  const rows: { url: string }[] = parse(await readFile(path('out.csv')), { columns: true })
  const records = await visitsIn(path('out.jsonl'))
  expect(textOf('packed.jsonl.gz', gunzipSync)).toBe(await readFile(path('out.jsonl'), 'utf8'))
  expect(textOf('packed.csv.zst', unzstd)).toBe(await readFile(path('out.csv'), 'utf8'))
  expect(rows.map(({ url }) => url)).toEqual(records.map(({ url }) => url))
  expect(ordeal.kills).toBeGreaterThan(0)
  expect(ordeal.requests).toBeGreaterThanOrEqual(site.truth.size)
})
