import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SEEN_SET_NAMES } from '../src/seen/seen-set.ts'
import { tortureByDeaths } from '../test/support/death-torture.ts'
import { seededRandom } from '../test/support/random.ts'
import { parseFlags } from './measure/flags.ts'

// node bench/death-torture.ts [--deaths 100] [--seed n]
// Crawls while workers die at random steps, by pages that kill them and by worker.terminate(), with each seen set in
// turn and 1 to 4 workers. Fails unless each fetched URL has exactly one record, and each other URL exactly one line in
// the file of --skipped.

const { deaths, seed } = parseFlags({ deaths: 100, seed: 1 })
const random = seededRandom(seed)
const folder = await mkdtemp(join(tmpdir(), 'orbweaver-torture-'))
const total = { crawls: 0, deaths: 0, visits: 0, givenUp: 0 }
try {
  while (total.deaths < deaths) {
    const seen = SEEN_SET_NAMES[total.crawls % SEEN_SET_NAMES.length]
    if (seen === undefined) break
    const workers = 1 + Math.floor(random() * 4)
    const shape = { layers: 6, width: 40, terminations: 20 }
    const own = { seen, workers, folder, random }
    const ordeal = await tortureByDeaths({ ...shape, ...own })
    total.crawls++
    for (const name of ['deaths', 'visits', 'givenUp'] as const) total[name] += ordeal[name]
    console.log(JSON.stringify({ seen, workers, ...total }))
  }
} finally {
  await rm(folder, { recursive: true })
}
