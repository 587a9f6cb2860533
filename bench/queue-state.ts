import { parseArgs } from 'node:util'
import { resolveConfig } from '../src/config/resolve-config.ts'
import type { ConfigInput } from '../src/config/schema.ts'
import { takeLedger } from '../src/crawl/checkpoint/save-ledger.ts'
import { CrawlState } from '../src/crawl/crawl-state.ts'
import { TUNING } from '../src/crawl/tuning.ts'
import { HostStore } from '../src/frontier/sqlite/host-store.ts'
import { WallClock } from '../src/frontier/wall-clock.ts'
import { silentLogger } from '../src/logger.ts'
import { UrlKey } from '../src/seen/url-key.ts'
import { settle } from '../src/state/settled.ts'
import { StateDirectory } from '../src/state/state-directory.ts'

// node bench/queue-state.ts --state <dir> --seed <url> [--urls 5000000] [--hosts 1]
// Makes the state of a crawl with so many URLs waiting, to measure what resuming it costs:
// `crawl <url> --state <dir> -d 10 --scope any`. It has no snapshot of the seen set, the worst case.

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
settle(directory, config, input)
new CrawlState(config, silentLogger(), { directory }, TUNING) // makes the tables
const { database } = directory
// Indexes are made at the end, all at once; the frontier does it when it opens.
for (const index of ['urls_by_key', 'ready', 'deferred', 'in_flight']) {
  database.exec(`DROP INDEX ${index}`)
}
const hosts = new HostStore(database, new WallClock())
const { origin, host } = new URL(values.seed)
const others = Array.from({ length: Number(values.hosts) - 1 }, (_, at) => `host-${at}.test`)
const ids = [host, ...others].map((key) => hosts.insert(key).id)
const keys = new UrlKey(directory.hashKey)
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
const state = new CrawlState(config, silentLogger(), { directory }, TUNING)
directory.commit(takeLedger(state, 'running', { visits: 0, skipped: 0 }, undefined))
console.log(`${values.urls} URLs in ${Math.round((performance.now() - began) / 1_000)} s`)
directory.close()
