import { SEEN_SET_NAMES } from '../../src/seen/seen-set.ts'
import { allocateSeenSet, openSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import { generatedUrl } from './urls.ts'

/** Adds URLs to one set. At each step, prints a line with their number and the resident memory. */
const [name = '', most = '0', steps = '1'] = process.argv.slice(2)
const BATCH = 1_000

interface Remembers {
  addIfNew(urls: readonly string[]): unknown
}

/** A Map as in the articles, from each URL to whether it was visited. */
class VisitedMap implements Remembers {
  readonly #urls = new Map<string, boolean>()

  addIfNew(urls: readonly string[]): void {
    for (const url of urls) this.#urls.set(url, true)
  }
}

function open(): Remembers {
  const known = SEEN_SET_NAMES.find((each) => each === name)
  if (known === undefined) return new VisitedMap()
  const options = { name: known, expectedUrls: Number(most), falsePositiveRate: 0.001 }
  return openSeenSet(allocateSeenSet(options), 0)
}

const seen = open()
const step = Number(most) / Number(steps)
for (let start = 0; start < Number(most); start += BATCH) {
  if (start % step === 0) print(start)
  await seen.addIfNew(Array.from({ length: BATCH }, (_, index) => flat(start + index)))
}
print(Number(most))
process.exit()

/** Returns a URL whose string is flat, like that of a URL that was read from a page. */
function flat(number: number): string {
  return Buffer.from(generatedUrl('in', number)).toString()
}

function print(urls: number): void {
  globalThis.gc?.()
  console.log(`${urls} ${process.memoryUsage.rss()}`)
}
