import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { scanPage } from '../src/html/reference-scanner/scan-page.ts'
import { allocateSeenSet, openSeenSet } from '../src/seen/seen-set-lifecycle.ts'
import { LinkResolver } from '../src/url/resolve.ts'
import { Scope } from '../src/url/scope.ts'
import { cpuSince } from './measure/cpu-time.ts'

/**
 * Compares the CPU time of finding the links of a page (scan, resolve, canonicalize, scope, seen check) with that of
 * only fetching the page with undici's `request`.
 *
 *   node bench/extraction.ts <a server's URL> <file of paths, one per line> <root folder>
 */
const [origin = '', list = '', root = ''] = process.argv.slice(2)
const paths = readFileSync(list, 'utf8').split('\n').filter(Boolean)
const bodies = paths.map((path) => readFileSync(root + decodeURIComponent(path)))
const bytes = bodies.reduce((sum, body) => sum + body.length, 0)

function extractAll(): number {
  const options = { name: 'bloom', expectedUrls: 1_000_000, falsePositiveRate: 0.001 } as const
  const seen = openSeenSet(allocateSeenSet(options), 0)
  const seeds = [`${origin}/`]
  const scope = new Scope({ scope: 'host', seeds, include: [], exclude: [] })
  let links = 0
  for (const [index, body] of bodies.entries()) {
    const { page, charset } = scanPage(body, undefined, { maxLinks: 100_000 })
    const base = { baseHref: page.base, encoding: charset }
    const resolver = new LinkResolver(`${origin}${paths[index]}`, base)
    const urls = new Set<string>()
    for (const { href } of page.outlinks) {
      const url = resolver.resolve(href)
      if (url !== undefined && scope.contains(url)) urls.add(url)
    }
    seen.addIfNew([...urls])
    links += urls.size
  }
  return links
}

async function fetchAll(): Promise<void> {
  const dispatcher = new Agent({ connections: 16 })
  const left = [...paths]
  const fetchNext = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const { body } = await request(origin + path, { dispatcher })
      await body.bytes()
    }
  }
  await Promise.all(Array.from({ length: 16 }, fetchNext))
  await dispatcher.close()
}

const rounds: { extracting: number; fetching: number }[] = []
let links = 0
for (let round = 0; round < 5; round++) {
  const started = process.cpuUsage()
  links = extractAll()
  const extracting = cpuSince(started)
  const fetchStarted = process.cpuUsage()
  await fetchAll()
  rounds.push({ extracting, fetching: cpuSince(fetchStarted) })
}
const perPage = (us: number) => `${Math.round(us / paths.length)} us`
for (const { extracting, fetching } of rounds.slice(1)) {
  const ratio = (extracting / fetching).toFixed(2)
  console.log(`extract ${perPage(extracting)}, fetch ${perPage(fetching)}, ratio ${ratio}`)
}
console.log(`${paths.length} pages of ${Math.round(bytes / paths.length)} bytes, ${links} links`)
