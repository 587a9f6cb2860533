import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { BEHAVIOURS } from '../test/hostile/behaviours.ts'
import { page } from '../test/hostile/send.ts'
import { seededRandom } from '../test/support/random.ts'
import { startRawServer } from '../test/support/raw-server.ts'
import { runCrawl } from '../test/support/run-cli.ts'
import { growthOf, type Sample, sampleOf, thirdsOf } from './measure/growth.ts'

/**
 * Crawls endless servers that misbehave at random. Fails if memory, handles or sockets of the crawler grow after the
 * first sixth of the time. It needs Linux, for /proc, and `npm run build`.
 *
 *   node bench/hostile-soak.ts <minutes> [more flags of crawl...]
 */
const [minutes = '60', ...more] = process.argv.slice(2)
const SAMPLE_MS = 10_000
const SERVERS = 4
/** Number of pages that misbehave, per level of a server. */
const WIDTH = 60

const seed = Date.now() % 2 ** 31
const random = seededRandom(seed)
const requests = new Map<string, number>()

/** Responds to a request. `/level/7` is valid, and links to the next levels and to pages that misbehave. */
function answer(socket: Socket, head: string): void {
  const path = head.split(' ', 2)[1] ?? ''
  const [, kind, number = '0'] = path.split('/')
  if (kind === 'level') {
    const wild = Array.from({ length: WIDTH }, (_, index) => `/wild/${number}/${index}`)
    // Links to three levels, since one may be lost if the machine is too busy to respond in time.
    const levels = [1, 2, 3].map((step) => `/level/${Number(number) + step}`)
    const links = [...levels, ...wild].map((url) => `<a href="${url}">x</a>`)
    socket.write(page(links.join('\n')))
    return
  }
  if (kind === 'robots.txt') {
    socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
    return
  }
  const index = Math.floor(random() * BEHAVIOURS.length)
  const [name, misbehave] = BEHAVIOURS[index] ?? ['none', () => {}]
  requests.set(name, (requests.get(name) ?? 0) + 1)
  misbehave(socket, path)
}

const samples: Sample[] = []
let timer: NodeJS.Timeout | undefined
const servers = await Promise.all(Array.from({ length: SERVERS }, () => startRawServer(answer)))
const flags = [
  ...['--depth', '1000000', '--max-time', `${minutes}m`, '--timeout', '1s', '--retries', '1'],
  // A low load is enough, since this test is about time. No host is ever given up.
  ...['--workers', '4', '--delay', '300ms', '--max-host-errors', '1000000', '--allow-private'],
  ...['--exclude', '/leaf/', '-q', ...more],
]
console.log(`seed ${seed}; flags ${flags.join(' ')}`)
const run = await runCrawl([...servers.map(({ url }) => `${url}/level/0`), ...flags], {
  timeoutMs: Number(minutes) * 60_000 + 30_000,
  onStart: ({ pid = 0 }) => {
    timer = setInterval(() => {
      const sample = sampleOf(pid)
      samples.push(sample)
      const { rss, handles, sockets } = sample
      console.log(
        `${samples.length * 10} s: ${Math.round(rss / 1e6)} MB, ${handles} handles, ${sockets} sockets`,
      )
    }, SAMPLE_MS)
  },
})
clearInterval(timer)
await Promise.all(servers.map((server) => server.close()))

const documented = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')
const outcomes = new Map<string, number>()
for (const { status = '', error } of run.visits) {
  const outcome = `${status} ${error?.code ?? ''}`.trim()
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}
console.log(outcomes, requests.size, 'behaviours met')
const codes = new Set(run.visits.flatMap(({ error }) => error?.code ?? []))
const problems = [
  ...growthOf(...thirdsOf(samples)),
  ...[...codes]
    .filter((code) => code === 'internal' || !documented.includes(`| \`${code}\` |`))
    .map((code) => `error code ${code}`),
  ...(run.code === 0 ? [] : [`exit code ${run.code}`]),
  ...(run.stderr === '' ? [] : [`stderr: ${run.stderr.slice(0, 2_000)}`]),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
