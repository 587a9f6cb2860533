import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { type KnownSite, startFlakySite } from '../test/support/flaky-site.ts'
import { type Ordeal, torture } from '../test/support/kill-torture.ts'
import { seededRandom } from '../test/support/random.ts'
import { startServer } from '../test/support/site-server.ts'
import { checkCompressed, compareOutputs, outputsIn } from './measure/killed-outputs.ts'

// node bench/kill-torture.ts [--kills 200] [--per-crawl 20] [--url <url> --truth <file.tsv.gz>] [--seed n]
// Kills crawls with SIGKILL at random moments: those of the real command, and of one that commits and writes snapshots
// far more often (bench/tortured-crawl.ts), with 1 to 4 workers, two seen sets, and all outputs at once. Without --url,
// they crawl a generated site with redirects and failures. Fails if a URL doesn't have exactly one record, if a
// finished URL is requested again, or if gunzip or zstd can't read a file to its end after a kill.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    'per-crawl': { type: 'string', default: '20' },
    url: { type: 'string' },
    truth: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const random = seededRandom(Number(values.seed))
const below = (limit: number) => Math.floor(random() * limit)
const total = { crawls: 0, kills: 0, runs: 0, requests: 0, repeats: 0 }

while (total.kills < Number(values.kills)) {
  const left = Number(values.kills) - total.kills
  const ordeal = await crawlOnce(Math.min(left, Number(values['per-crawl'])))
  total.crawls++
  for (const name of ['kills', 'runs', 'requests', 'repeats'] as const) total[name] += ordeal[name]
  console.log(JSON.stringify(total))
}

async function crawlOnce(kills: number): Promise<Ordeal> {
  const { url, truth } = values
  const isOther = url !== undefined && truth !== undefined
  const site = await (isOther ? forward(url, truth) : startFlakySite(1_500, below(1_000)))
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-torture-'))
  const seen = random() < 0.5 ? 'bloom' : 'exact'
  try {
    const ordeal = await torture({
      ...{ site, folder, kills, random },
      command: () => command(site, folder, seen),
      inspect: () => checkCompressed(folder),
    })
    compareOutputs(folder)
    return ordeal
  } catch (error) {
    console.error(`${folder} is kept`)
    process.exitCode = 1
    throw error
  } finally {
    await site.close()
    if (process.exitCode === undefined) await rm(folder, { recursive: true })
  }
}

/** Returns the command of one run, with a random number of workers, and one of the two programs. */
function command(site: KnownSite, folder: string, seen: 'bloom' | 'exact'): string[] {
  const settings = {
    ...{
      seeds: [site.seed],
      depth: 1_000,
      seen,
      workers: 1 + below(4),
      concurrency: 1 + below(16),
      retries: 2,
    },
    ...{ maxHostErrors: 1_000_000, expectedUrls: 20_000 },
    // No URL may be missed.
    ...(seen === 'bloom' && { falsePositiveRate: 1e-9 }),
    ...{ perHost: 32, output: outputsIn(folder), state: join(folder, 'state') },
    ...{ skipped: join(folder, 'skipped.jsonl.gz'), links: join(folder, 'links.jsonl.zst') },
    saveBodies: join(folder, 'mirror'),
  }
  if (random() < 0.5)
    return [path('tortured-crawl.ts'), JSON.stringify({ ...settings, traps: false })]
  const flags = Object.entries(settings).flatMap(([name, value]) => {
    if (name === 'seeds') return [site.seed]
    const flag = `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`
    return [value].flat().flatMap((each) => [flag, `${each}`])
  })
  return [path('../bin/crawl.js'), '-q', '--no-traps', ...flags]
}

function path(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

/** Starts a server that forwards requests to another site, and counts them. */
async function forward(url: string, truthFile: string): Promise<KnownSite> {
  const { origin, hostname, port, pathname } = new URL(url)
  const site = await startServer((asked, answer) => {
    const target = {
      hostname,
      port,
      path: asked.url,
      headers: { ...asked.headers, host: `${hostname}:${port}` },
    }
    const passOn = request(target, (reply) => {
      const { location } = reply.headers
      if (location !== undefined) reply.headers.location = location.replace(origin, site.url)
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    passOn.on('error', () => answer.destroy()).end()
  })
  const lines = gunzipSync(await readFile(truthFile))
    .toString()
    .trimEnd()
    .split('\n')
  const truth = lines
    .map((line) => line.split('\t'))
    .map(([found = '', , status]) => {
      return [found.replace(origin, site.url), Number(status)] as const
    })
  return {
    seed: site.url + pathname,
    truth: new Map(truth),
    requests: site.requests,
    close: () => site.close(),
  }
}
