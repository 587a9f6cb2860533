import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHARED_SEEN_NAMES } from '../../src/config/settings/seen-settings.ts'
import { SEEN_SET_NAMES } from '../../src/seen/seen-set.ts'
import { isOnDisk } from '../../src/seen/seen-set-lifecycle.ts'
import { callCrawl, type Ending } from '../support/call-cli.ts'
import { RedisServer } from '../support/redis-server.ts'
import { type SiteServer, startServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'

/** A site whose URLs together exceed the memory of `hybrid`, so that some are on disk. */
const LARGE = { entry: '/large', pages: 160, query: 'x'.repeat(7_500) }
const SMALL = { entry: '/small', pages: 40, query: '' }
const SITES = [LARGE, SMALL]
const SOME = 20

const ENDS: readonly (readonly [name: string, code: number, flags: string[], ending: Ending])[] = [
  ['its normal end', 0, [], {}],
  ['--max-pages', 0, ['--max-pages', String(SOME)], {}],
  ['a Ctrl-C', 130, [], { interruptAfter: SOME }],
  ['a reader that leaves', 0, [], { leaveAfter: SOME }],
]

/** True for the normal end and for an interrupt, which have different cleanup to do. */
const isMain = ([name]: (typeof ENDS)[number]) => name === 'its normal end' || name === 'a Ctrl-C'

/** Crawls that end before the first log line, and after it. The log asks sets on disk for their size. */
const FAST = ['fast', 0, '1h'] as const
const SLOW = ['slow', 5, '10ms'] as const

let site: SiteServer
let redis: RedisServer
let pause = 0
/** Resolves when the crawl has been interrupted. All pages after the first ones wait for it. */
let interrupted: Promise<void> | undefined

beforeAll(async () => {
  site = await startServer(async ({ url }, response) => {
    const entered = SITES.find(({ entry }) => entry === url)
    if (entered === undefined) await sleep(pause)
    if (Number(/^\/(\d+)\?/.exec(url ?? '')?.[1]) > SOME) await interrupted
    response.setHeader('content-type', 'text/html').end(entered && linksOf(entered))
  })
  redis = await RedisServer.start()
})

afterAll(() => Promise.all([site.close(), redis.close()]))

const path = useFolder()

function linksOf({ pages, query }: typeof LARGE): string {
  const links = Array.from({ length: pages - 1 }, (_, page) => `<a href="/${page}?${query}">`)
  return links.join('')
}

const siteFor = (seen: string) => (seen === 'hybrid' ? LARGE : SMALL)

/** Runs a crawl. Returns what the last line of the log reports of the seen set. */
async function crawlWith(seen: string, flags: readonly string[], code: number, ending: Ending) {
  const seed = site.url + siteFor(seen).entry
  const { promise, resolve } = Promise.withResolvers<void>()
  interrupted = ending.interruptAfter === undefined ? undefined : promise
  const args = [seed, '-d', '9', '--seen', seen, ...flags]
  const run = await callCrawl(args, '', { ...ending, onInterrupted: resolve })
  expect(run.stderr).not.toMatch(/^crawl:/m)
  expect(run.code).toBe(code)
  expect(run.visits.length).toBeGreaterThanOrEqual(SOME)
  return JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '').seen
}

// Sets in memory all end alike.
it.each(ENDS)(
  'with --seen bloom, a crawl reports its seen set at %s',
  async (_, code, flags, ending) => {
    pause = 0
    expect((await crawlWith('bloom', flags, code, ending)).added).toBe(SMALL.pages)
  },
)

const ON_DISK = SEEN_SET_NAMES.filter(isOnDisk)

describe.each(ON_DISK)('with --seen %s', (seen) => {
  const SPEEDS = [
    [...FAST, chosen(ENDS, (_, at) => at === 0 || seen === 'sqlite')],
    [...SLOW, ENDS.slice(0, 1)],
  ] as const
  describe.each(chosen(SPEEDS, ([name]) => name === 'fast' || seen === 'sqlite'))(
    'a %s crawl reports its seen set at',
    (_, ms, interval, ends) => {
      it.each(ends)('%s', async (_, code, flags, ending) => {
        pause = ms
        const small = ['--expected-urls', '9', '--log-interval', interval]
        const { added, diskBytes } = await crawlWith(seen, [...small, ...flags], code, ending)
        expect(added).toBe(siteFor(seen).pages)
        expect(diskBytes).toBeGreaterThan(0)
      })
    },
  )
})

describe.each(ON_DISK)('with --seen %s and --state', (seen) => {
  it.each(chosen(ENDS, (end, at) => at === 0 || (seen === 'hybrid' && isMain(end))))(
    'a crawl reports its seen set at %s',
    async (_, code, flags, ending) => {
      pause = 0
      const kept = ['--state', path('state'), '--expected-urls', '9']
      const { diskBytes } = await crawlWith(seen, [...kept, ...flags], code, ending)
      expect(diskBytes).toBeGreaterThan(0)
    },
  )
})

// Their servers are in the same state after each end.
describe.each(chosen(SHARED_SEEN_NAMES, (seen) => seen === 'redis-bloom'))(
  'with --seen %s',
  (seen) => {
    it.each(seen === 'redis-bloom' ? chosen(ENDS, isMain) : ENDS.slice(0, 1))(
      'a crawl reports its seen set at %s',
      async (end, code, flags, ending) => {
        pause = 0
        const job = ['--frontier', redis.url, '--job', `${seen} to ${end}`.replaceAll(' ', '-')]
        const { added } = await crawlWith(seen, [...job, ...flags], code, ending)
        expect(added).toBe(SMALL.pages)
      },
    )
  },
)
