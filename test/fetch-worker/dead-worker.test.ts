import { describe, expect, it, onTestFinished } from 'vitest'
import { SeenCheck } from '../../src/fetch-worker/links/seen-check.ts'
import { SkipCounter } from '../../src/fetch-worker/links/skip-counter.ts'
import { ClaimLog, claimsIn } from '../../src/messages/claim-log.ts'
import { Counters } from '../../src/messages/counters.ts'
import type { CrawlUrl } from '../../src/records/crawl-url.ts'
import { type Skip, skipKey } from '../../src/records/skip.ts'
import { SEEN_SET_NAMES, type SeenName } from '../../src/seen/seen-set.ts'
import {
  allocateSeenSet,
  discardSeenSet,
  isOnDisk,
  openSeenSet,
} from '../../src/seen/seen-set-lifecycle.ts'
import { dieAt } from '../support/die-at.ts'
import { chosen } from '../support/soak.ts'

const KNOWN = ['http://a.test/1', 'http://a.test/2']
const LINKS = [...KNOWN, 'http://a.test/3', 'http://a.test/4']
const OUTSIDE = ['http://b.test/1', 'http://b.test/2']
const standing = { depth: 1, sameDepthHops: 0, redirects: 0, attempt: 1, failures: 0 }
const page: CrawlUrl = { id: 7, url: 'http://a.test/', ...standing, hop: 'link', keepLinks: false }

/** Allocates memory that threads share. The seen set contains some URLs that a deeper page linked to. */
function allocate(name: SeenName) {
  const options = { name, expectedUrls: 1_000, falsePositiveRate: 0.1 }
  const seen = allocateSeenSet(options)
  const beside = isOnDisk(name) ? ({ ...options, name: 'digest' } as const) : options
  const [shorterPaths, countedSkips] = [allocateSeenSet(beside), allocateSeenSet(beside)]
  onTestFinished(() => discardSeenSet(seen))
  openSeenSet(seen, 0).addIfNew(KNOWN)
  const counters = new Counters(Counters.allocate(1))
  counters.deepest = 2
  return { seen, shorterPaths, countedSkips, counters: counters.memory }
}

type Memory = ReturnType<typeof allocate>

/** Processes the links of a page as a thread does. Returns everything that it reports. */
function thread(memory: Memory, owner: number) {
  const claims = ClaimLog.allocate()
  const log = new ClaimLog(claims, () => {})
  const tells = {
    defersSeenCheck: false,
    keepsOutlinks: false,
    listsSkipped: true,
    scope: { scope: 'any', seeds: [], include: [], exclude: [] } as const,
  }
  const setup = { ...memory, ...tells, worker: 1, owner, depth: 3 }
  const seenCheck = new SeenCheck(setup, log)
  const skipCounter = new SkipCounter(setup, log)
  return {
    claims,
    find() {
      const { findings } = seenCheck.addLinks(LINKS, page)
      const external = seenCheck.addExternal(OUTSIDE, page)
      return [...findings.discovered, ...findings.nearer, ...external]
    },
    account(skips: readonly Skip[]) {
      return skipCounter.count(page, skips, []).skipped
    },
  }
}

function bury({ seen, shorterPaths, countedSkips }: Memory, owner: number): void {
  for (const memory of [seen, shorterPaths, countedSkips]) openSeenSet(memory, 0).release(owner)
}

/** Sets that represent the others: a hybrid set has all steps of those on disk. */
const SOME = ['bloom', 'hybrid']

describe.each(chosen(SEEN_SET_NAMES, (name) => SOME.includes(name)))(
  'with %s, a worker that dies after any step',
  (name) => {
    it('leaves no link behind that neither its log nor the next page with it reports', () => {
      for (let step = 1; ; step++) {
        const memory = allocate(name)
        const victim = thread(memory, 1)
        const isDead = dieAt(step, () => victim.find())
        bury(memory, 1)
        const claimed = claimsIn(victim.claims).map(({ text }) => text)
        const later = thread(memory, 2).find()
        expect(new Set([...claimed, ...later]), `step ${step}`).toEqual(
          new Set([...LINKS, ...OUTSIDE]),
        )
        if (isDead) continue
        expect(step).toBeGreaterThan(10)
        break
      }
    })
  },
)

// A set on disk has a digest set for the skipped URLs.
describe.each(
  chosen(SEEN_SET_NAMES, (name) => SOME.includes(name)).filter((name) => !isOnDisk(name)),
)('with %s, a worker that dies after any step', (name) => {
  it('leaves each skipped URL to its log or to the next page with it, never to both', () => {
    const skips: Skip[] = [
      { url: 'http://c.test/', via: page.url, depth: 2, reason: 'out-of-scope' },
      { url: 'mailto:a@b.test', via: page.url, depth: 1, reason: 'scheme' },
    ]
    for (let step = 1; ; step++) {
      const memory = allocate(name)
      const victim = thread(memory, 1)
      const isDead = dieAt(step, () => victim.account(skips))
      const claimed = claimsIn(victim.claims)
      const keys = claimed.map(({ kind, text }) => `${kind} ${text}`)
      openSeenSet(memory.countedSkips, 1).addIfNew(keys)
      bury(memory, 1)
      keys.push(...thread(memory, 2).account(skips).map(skipKey))
      expect(keys.sort(), `step ${step}`).toEqual(skips.map(skipKey).sort())
      expect(claimed.map(({ isDeeper }) => isDeeper)).toEqual(
        [true, false].slice(0, claimed.length),
      )
      if (!isDead) break
    }
  })
})
