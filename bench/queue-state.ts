import { parseArgs } from 'node:util'
import { localConfig } from '../src/cluster/local-config.ts'
import { resolveConfig } from '../src/config/resolve-config.ts'
import type { ConfigInput } from '../src/config/schema.ts'
import { takeLedger } from '../src/crawl/checkpoint/crawl-ledger.ts'
import { CrawlScope } from '../src/crawl/seeds/crawl-scope.ts'
import { SeedTracker } from '../src/crawl/seeds/seed-tracker.ts'
import { GivenUpHosts } from '../src/crawl/stats/given-up-hosts.ts'
import { RunningTotals } from '../src/crawl/stats/running-totals.ts'
import { SkipLog } from '../src/crawl/stats/skip-log.ts'
import { SharedMemory } from '../src/crawl/worker-pool/shared-memory.ts'
import { openFrontier } from '../src/frontier/open-frontier.ts'
import { HostStore } from '../src/frontier/storage/host-store.ts'
import { NumericUrlHash } from '../src/hashing/numeric-url-hash.ts'
import { silentLogger } from '../src/logger.ts'
import { WallClock } from '../src/runtime/wall-clock.ts'
import { storeSettings } from '../src/state/resume-settings.ts'
import { SeedHostStore } from '../src/state/seed-host-store.ts'
import { StateDirectory } from '../src/state/state-directory.ts'
import { VisitStore } from '../src/state/visit-store.ts'
import { parseSeed } from '../src/url/seed.ts'

// node bench/queue-state.ts --state <dir> --seed <url> [--urls 5000000] [--hosts 1]
// Creates the state of a crawl with `--urls` waiting URLs, to measure the cost of resuming it with
// `crawl <url> --state <dir> -d 10 --scope any`. The state has no snapshot of the seen set, which is the worst case.

const { values } = parseArgs({
  options: {
    state: { type: 'string', default: '' },
    seed: { type: 'string', default: '' },
    urls: { type: 'string', default: '5000000' },
    hosts: { type: 'string', default: '1' },
  },
})
const input: ConfigInput = {
  ...{ seeds: [values.seed], depth: 10, scope: 'any' as const, expectedUrls: 10_000_000 },
}
const config = resolveConfig(input)
const directory = StateDirectory.open(values.state)
storeSettings(directory, config, input)
// Creates the tables.
openFrontier(config, directory)
new VisitStore(directory.database)
new SeedHostStore(directory.database)
const { database } = directory
// The indexes are created at the end, when the frontier opens again. That is faster than keeping them up to date.
for (const index of ['urls_by_key', 'ready', 'deferred', 'in_flight', 'astray']) {
  database.exec(`DROP INDEX ${index}`)
}
const hosts = new HostStore(database, new WallClock())
const { origin, host } = new URL(values.seed)
const others = Array.from({ length: Number(values.hosts) - 1 }, (_, at) => `host-${at}.test`)
const ids = [host, ...others].map((key) => hosts.insert(key).id)
const keys = new NumericUrlHash(directory.hashKey)
const insert = database.prepare(
  `INSERT INTO urls (key, url, host, state, depth, sidesteps, redirects, hop)
   VALUES (?, ?, ?, 0, 1, 0, 0, 'link')`,
)
const began = performance.now()
for (let number = 0; number < Number(values.urls); number++) {
  const at = number % ids.length
  const base = at === 0 ? origin : `http://${others[at - 1]}`
  const url = `${base}/section-${number % 1_000}/some-article-about-${number}.html`
  insert.run(keys.of(url), url, ids[at] ?? 0)
}
database.exec('UPDATE hosts SET due = 0')
openFrontier(config, directory) // makes the indexes
const seeds = new SeedTracker([parseSeed(values.seed)], true)
const memory = new SharedMemory(localConfig(config), directory.hashKey, directory.path)
const parts = {
  ...{
    config,
    seeds,
    cookieFile: undefined,
    cookies: undefined,
    learning: undefined,
    renderTally: undefined,
    tally: new RunningTotals(),
    skips: new SkipLog(undefined, memory),
  },
  givenUp: new GivenUpHosts(silentLogger()),
  memory,
  scope: new CrawlScope(config, seeds.urls),
}
directory.commit(takeLedger(parts, 'running', { visits: 0, skipped: 0 }, undefined))
console.log(`${values.urls} URLs in ${Math.round((performance.now() - began) / 1_000)} s`)
directory.close()
