/**
 * Tortures the seen sets for several rounds: threads add the same URLs at once, each in another order. Exactly one
 * thread must see each URL as new. Threads shuffle the URLs within windows, whose size is a power of two; small windows
 * cause the most collisions. Setting the bits without a lock ("new if any flipped") fails for about 2,500 of a million
 * URLs with windows of 16, and for 4 with windows of 1048576.
 *
 *   node bench/seen-torture.ts [--seen bloom] [--rounds 3] [--threads 8] [--urls 1000000] [--window 16] [--expected-urls 1000]
 *
 * Sets that grow begin with `--expected-urls`, so that they have to grow.
 */
import { parseArgs } from 'node:util'
import { SEEN_SET_NAMES } from '../src/seen/seen-set.ts'
import { growsAsNeeded } from '../src/seen/seen-set-lifecycle.ts'
import { torture } from '../test/seen/torture.ts'

const { values } = parseArgs({
  options: {
    seen: { type: 'string', multiple: true, default: [...SEEN_SET_NAMES] },
    rounds: { type: 'string', default: '3' },
    threads: { type: 'string', default: '8' },
    urls: { type: 'string', default: '1000000' },
    window: { type: 'string', default: '16' },
    'expected-urls': { type: 'string', default: '1000' },
  },
})

for (const name of SEEN_SET_NAMES.filter((name) => values.seen.includes(name))) {
  for (let round = 1; round <= Number(values.rounds); round++) {
    const result = await torture({
      name,
      threads: Number(values.threads),
      urls: Number(values.urls),
      window: Number(values.window),
      expectedUrls: Number(growsAsNeeded(name) ? values['expected-urls'] : values.urls),
    })
    const { urls, claimedTwice, lost, ms, stats } = result
    console.log(
      `${name} round ${round}: ${values.threads} threads x ${urls} URLs in ${ms.toFixed(0)} ms, ` +
        `claimed twice ${claimedTwice}, lost ${lost} (${((lost / urls) * 100).toFixed(3)} %), ` +
        `added ${stats.added}, expected ${stats.expectedLost.toFixed(0)}, fill ${stats.fill.toFixed(4)}`,
    )
    if (claimedTwice > 0) process.exitCode = 1
  }
}
