/**
 * Measures the bytes of memory and disk that each part of a crawl keeps per host: the difference between two numbers of
 * hosts, each in a process of its own, after garbage collection. Connections are to servers on 127.3.0.0/16.
 *
 *   node bench/host-memory.ts [words in the names of the parts to measure]
 */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { CookieJar } from '../src/cookies/cookie-jar.ts'
import { AddressCache } from '../src/crawl/dns/address-cache.ts'
import { CrawlScope } from '../src/crawl/seeds/crawl-scope.ts'
import { SeedTracker } from '../src/crawl/seeds/seed-tracker.ts'
import { cachingResolver } from '../src/fetch/addresses/resolver.ts'
import { SeedHosts } from '../src/fetch/addresses/seed-hosts.ts'
import { TlsSessions } from '../src/fetch/http/connections/tls-sessions.ts'
import { openFetcher } from '../src/fetch/open-fetcher.ts'
import { SqliteFrontier } from '../src/frontier/sqlite/sqlite-frontier.ts'
import { parseRobots } from '../src/robots/parse.ts'
import { temporaryStorage } from '../src/state/crawl-storage.ts'
import { parseSeed } from '../src/url/seed.ts'
import { selfSigned } from '../test/support/certificates.ts'

/** Fills a part of a crawl with the data of a number of hosts. Resolves with the part, and its bytes on disk. */
type Part = (hosts: number) => Promise<{ readonly kept: unknown; readonly disk?: number }>

const rulesOf = (number: number) =>
  `User-agent: *\n${Array.from({ length: number }, (_, n) => `Disallow: /private-${n}/*.html\n`).join('')}`
const TICKET_BYTES = 1_900
const KEEP_ALIVE_MS = 600_000
const PORT = 8_400

const nameOf = (host: number) => `www.host-${host}.test`

const PARTS: Readonly<Record<string, Part>> = {
  'host that waits, with one URL': (hosts) => frontier(hosts, 'waits'),
  'host that was visited': (hosts) => frontier(hosts, 'visited'),
  'the same with 10 rules of robots.txt': (hosts) => frontier(hosts, 'visited', 10),
  'the same with 50 rules of robots.txt': (hosts) => frontier(hosts, 'visited', 50),
  'seed, on the main thread': async (hosts) => {
    const parsed = Array.from({ length: hosts }, (_, host) => parseSeed(`http://${nameOf(host)}/`))
    const seeds = new SeedTracker(parsed, true)
    const scope = new CrawlScope({ scope: 'host', include: [], exclude: [] }, seeds.urls)
    return { kept: [seeds, scope] }
  },
  'address for --per-ip': async (hosts) => {
    const cache = new AddressCache(1_000, async () => ['192.0.2.1'])
    for (let host = 0; host < hosts; host++) await cache.find(nameOf(host))
    return { kept: cache }
  },
  'addresses in a worker': async (hosts) => {
    const resolve = cachingResolver(async () => [{ address: '192.0.2.1', family: 4 }])
    for (let host = 0; host < hosts; host++) await resolve(nameOf(host))
    return { kept: resolve }
  },
  'cookie in a worker, and on the main thread': async (hosts) => {
    const jar = new CookieJar([])
    for (let host = 0; host < hosts; host++) {
      jar.store(`https://www.host-${host}.test/`, [`session=${'a'.repeat(32)}; Path=/; Secure`])
    }
    return { kept: jar }
  },
  'TLS session': async (hosts) => {
    const sessions = new TlsSessions()
    for (let host = 0; host < hosts; host++) {
      sessions.keep(`${nameOf(host)}:443`, Buffer.alloc(TICKET_BYTES, host))
    }
    return { kept: sessions }
  },
  'idle connection': (hosts) => connections(hosts, false),
  'idle TLS connection': (hosts) => connections(hosts, true),
}

/** Pairs of numbers of hosts, which are compared. There are fewer for connections: beyond 1,000, they are closed. */
const NUMBERS: readonly (readonly [number, number])[] = [
  [500, 3_500],
  [10_000, 50_000],
]
const FEW: readonly (readonly [number, number])[] = [[200, 900]]

async function frontier(hosts: number, until: 'waits' | 'visited', rulesOfEach = 0) {
  const storage = temporaryStorage()
  const ignoreRobots = rulesOfEach === 0
  const kept = new SqliteFrontier(
    { depth: 10, perHost: 6, delay: 1_000, ignoreRobots, traps: true },
    storage,
  )
  let now = 0
  for (let host = 0; host < hosts; host++) kept.addSeed(`http://${nameOf(host)}/index.html`, now)
  while (until !== 'waits') {
    const actions = kept.take(64, now)
    for (const action of actions) {
      if (action.type === 'robots') {
        const rules = parseRobots(Buffer.from(rulesOf(rulesOfEach)), 'orbweaver')
        kept.setRobots(action.origin, { access: 'rules', rules }, now)
      }
      if (action.type === 'visit') {
        kept.visited(action.crawlUrl.id, { discovered: [], nearer: [], sameDepth: [] }, now)
      }
    }
    if (kept.unfinished === 0) break
    now = actions.length > 0 ? now + 1 : Math.max(now, kept.wakeAt ?? now)
  }
  const pragma = (name: string) =>
    Number(Object.values(storage.database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
  return { kept, disk: pragma('page_count') * pragma('page_size') }
}

const addressOf = (host: number) => `127.3.${host >> 8}.${host & 255}`

async function connections(hosts: number, isSecure: boolean) {
  const server = fork(import.meta.filename, ['serve', String(hosts), String(isSecure)])
  await new Promise((resolve) => server.once('message', resolve))
  const kept = openFetcher({
    ...{
      concurrency: 16,
      maxIdle: hosts,
      timeout: 60_000,
      connectTimeout: 60_000,
      userAgent: 'bench',
    },
    ...{ headers: {}, headerOrigins: [], authorizations: {}, insecure: true, allowPrivate: true },
    ...{ seedHosts: SeedHosts.allocate([]), bodySlots: [] },
  })
  const scheme = isSecure ? 'https' : 'http'
  for (let host = 0; host < hosts; host += 16) {
    const some = Array.from({ length: Math.min(16, hosts - host) }, (_, place) => host + place)
    await Promise.all(
      some.map((each) =>
        kept.get({ url: `${scheme}://${addressOf(each)}:${PORT}/`, maxBody: 1e6 }),
      ),
    )
  }
  process.once('beforeExit', () => server.kill())
  return { kept: [kept, server] }
}

async function serve(hosts: number, isSecure: boolean): Promise<void> {
  const certificate = await selfSigned()
  for (let host = 0; host < hosts; host++) {
    const options = { ...certificate, keepAliveTimeout: KEEP_ALIVE_MS }
    const server = isSecure ? createTlsServer(options) : createServer(options)
    server.on('request', (_, response) => void response.end('x'.repeat(7_000)))
    await new Promise<void>((resolve) => server.listen(PORT, addressOf(host), resolve))
  }
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

interface Bytes {
  readonly heap: number
  readonly rss: number
  readonly disk: number
}

async function measureHere(name: string, hosts: number): Promise<Bytes> {
  const collect = async () => {
    globalThis.gc?.()
    await sleep(100)
    globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { heap: heapUsed + external, rss }
  }
  const part = PARTS[name]
  if (part === undefined) throw new Error(`expected a part, got ${name}`)
  const { kept, disk = 0 } = await part(hosts)
  const after = await collect()
  return kept === undefined ? { heap: 0, rss: 0, disk } : { ...after, disk }
}

/** Measures a part in a process of its own. */
function measure(name: string, hosts: number): Promise<Bytes> {
  const child = fork(import.meta.filename, ['part', name, String(hosts)], {
    execArgv: ['--expose-gc'],
  })
  return new Promise((resolve, reject) => {
    let bytes: Bytes | undefined
    child.on('message', (message: Bytes) => {
      bytes = message
    })
    child.once('exit', () => (bytes ? resolve(bytes) : reject(new Error(`${name} failed`))))
  })
}

async function report(only: string): Promise<void> {
  console.log('| kept | hosts | heap and buffers | resident | disk |\n|---|---|--:|--:|--:|')
  for (const name of Object.keys(PARTS).filter((each) => each.includes(only))) {
    for (const [few, many] of name.includes('connection') ? FEW : NUMBERS) {
      const [less, more] = [await measure(name, few), await measure(name, many)]
      const each = (key: keyof Bytes) => ((more[key] - less[key]) / (many - few)).toFixed(0)
      console.log(
        `| ${name} | ${few} to ${many} | ${each('heap')} | ${each('rss')} | ${each('disk')} |`,
      )
    }
  }
}

const [mode, first = '', second = ''] = process.argv.slice(2)
if (mode === 'serve') await serve(Number(first), second === 'true')
else if (mode === 'part') {
  process.send?.(await measureHere(first, Number(second)))
  process.exit()
} else await report(mode ?? '')
