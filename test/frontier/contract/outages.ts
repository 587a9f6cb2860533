import { describe, expect, it } from 'vitest'
import type { Frontier, FrontierOptions } from '../../../src/frontier/frontier.ts'
import type { AttemptSign, ProbeSign } from '../../../src/frontier/hosts/availability-signs.ts'
import type { OpenFrontier } from '../open-frontier.ts'
import { found, gist, idOf } from '../open-frontier.ts'

const A = 'http://a.test'
const PATIENCE = 120_000
export const OUTAGE_OPTIONS = { hostPatience: PATIENCE, perHost: 6 }
const pages = (count: number) => Array.from({ length: count }, (_, page) => `${A}/${page + 1}`)

const GOOD = {
  presence: 'there',
  why: '',
  kind: 'error',
  isFinal: true,
  countsAnyway: false,
} as const satisfies AttemptSign
const REFUSED = { ...GOOD, presence: 'away', why: 'refused', kind: 'silence' } as const
const BUSY = { ...GOOD, presence: 'away', why: 'answered 503', kind: 'overload' } as const
const BROKEN = { ...GOOD, presence: 'away', why: 'answered 500' } as const
export const NO_ANSWER: ProbeSign = {
  presence: 'away',
  why: 'refused',
  isConclusive: true,
  retryAfter: 0,
}
export const ANSWER: ProbeSign = { presence: 'there', why: '', isConclusive: false, retryAfter: 0 }

/** Lets a host respond to its seed, which leads to `count` pages. */
export function begin(frontier: Frontier, count: number): Frontier {
  frontier.addSeed(`${A}/`, 0)
  const id = idOf(frontier.take(9, 0), `${A}/`)
  frontier.outages.judge(id, GOOD, 0)
  frontier.visited(id, found(pages(count)), 0)
  return frontier
}

/** Takes all URLs and lets each fail. Returns their ids, and how their failures were judged. */
export function failAll(frontier: Frontier, now: number, sign: AttemptSign = REFUSED) {
  const actions = frontier.take(99, now).filter((action) => action.type === 'visit')
  return actions.map(({ crawlUrl: { id } }) => {
    const { outcome } = frontier.outages.judge(id, sign, now)
    if (outcome === 'hold') frontier.completion.answeredEarly(id, { health: 'unsure' }, now)
    return { id, outcome }
  })
}

/** Tests that the frontier waits for hosts that stop responding. */
export function outageContract(openFrontier: OpenFrontier): void {
  const begun = (
    count: number,
    options: Partial<FrontierOptions> = {},
    frontier = openFrontier({ ...OUTAGE_OPTIONS, ...options }),
  ) => begin(frontier, count)

  describe('failures without a response', () => {
    it('are held back, and after several the host is probed and gets no other request', () => {
      const frontier = begun(20)
      const failed = failAll(frontier, 10)
      expect(failed.map(({ outcome }) => outcome)).toEqual(Array(6).fill('hold'))
      expect(frontier.take(9, 11)).toEqual([
        { type: 'probe', host: 'a.test', url: `${A}/`, method: 'HEAD' },
      ])
      expect(frontier.take(9, 11)).toEqual([])
      const verdict = frontier.outages.probed('a.test', ANSWER, 12)
      expect(verdict.counted).toEqual(failed.map(({ id }) => id))
      for (const { id } of failed) frontier.failed(id, 12)
      // Failures halve the requests at a time.
      expect(frontier.take(9, 12)).toHaveLength(3)
    })

    it('count without a probe when their host is given up for another reason', () => {
      const frontier = begun(7, { maxHostErrors: 1 })
      const [last, ...others] = frontier
        .take(6, 5)
        .flatMap((action) => (action.type === 'visit' ? [action.crawlUrl.id] : []))
      for (const id of others) {
        expect(frontier.outages.judge(id, REFUSED, 10).outcome).toBe('hold')
        frontier.completion.answeredEarly(id, { health: 'unsure' }, 10)
      }
      frontier.report(last ?? 0, { health: 'failed', isExcessive: true, retryAfter: 60_000 }, 11)
      frontier.failed(last ?? 0, 11)
      const actions = frontier.take(9, 12)
      expect(gist(actions)).toEqual(['count-failures a.test', `skip ${A}/7`])
      expect(actions[0]).toMatchObject({ ids: others })
    })

    it('cause no probe when their host is given up already', () => {
      const frontier = begun(6, { maxHostErrors: 1 })
      const [first, ...others] = frontier
        .take(6, 5)
        .flatMap((action) => (action.type === 'visit' ? [action.crawlUrl.id] : []))
      frontier.report(first ?? 0, { health: 'failed' }, 10)
      frontier.failed(first ?? 0, 10)
      for (const id of others) {
        expect(frontier.outages.judge(id, REFUSED, 11).outcome).toBe('count')
        frontier.failed(id, 11)
      }
      expect(frontier.take(9, 12)).toEqual([])
    })

    it('leave the frontier unstuck while only a probe is in flight', () => {
      const frontier = begun(20)
      failAll(frontier, 10)
      frontier.take(9, 11)
      for (const id of frontier.outages.probed('a.test', NO_ANSWER, 12).putBack) {
        frontier.outages.putBack(id, 12)
      }
      expect(gist(frontier.take(9, 1_000))).toEqual(['probe a.test'])
      expect(frontier.isStuck).toBe(false)
    })

    it('of a single URL are held back until robots.txt was probed, if no other URL is left', () => {
      const frontier = begun(1, { ignoreRobots: false }, withRobots())
      const [failed] = failAll(frontier, 10)
      expect(failed?.outcome).toBe('hold')
      expect(frontier.take(9, 11)).toMatchObject([{ type: 'probe', url: `${A}/robots.txt` }])
      expect(frontier.outages.probed('a.test', ANSWER, 12)).toMatchObject({ counted: [failed?.id] })
    })

    it('are blamed on the URL if the host responds to a later request, not to an earlier one', () => {
      const frontier = begun(8)
      const [slow, bad] = frontier
        .take(2, 5)
        .flatMap((action) => (action.type === 'visit' ? [action.crawlUrl.id] : []))
      frontier.outages.judge(bad ?? 0, REFUSED, 10)
      expect(frontier.outages.judge(slow ?? 0, GOOD, 11).counted).toEqual([])
      const later = idOf(frontier.take(1, 12), `${A}/3`)
      expect(frontier.outages.judge(later, GOOD, 13).counted).toEqual([bad])
    })
  })

  describe('failures with a response', () => {
    it.each([
      ['500', BROKEN, false],
      ['500', BROKEN, true],
      ['503', BUSY, true],
    ])('of status %s count if no other URL is left', (_, sign, ignoreRobots) => {
      const frontier = ignoreRobots ? begun(2) : begun(2, {}, withRobots())
      const failed = failAll(frontier, 10, sign).map(({ id }) => id)
      expect(frontier.take(9, 10)).toEqual([
        { type: 'count-failures', host: 'a.test', ids: failed },
      ])
      for (const id of failed) frontier.failed(id, 10)
      expect(frontier.unfinished).toBe(0)
    })

    it('of status 503 are held back until robots.txt was probed, if that may be requested', () => {
      const frontier = begun(2, {}, withRobots())
      failAll(frontier, 10, BUSY)
      expect(frontier.take(9, 11)).toMatchObject([{ type: 'probe', url: `${A}/robots.txt` }])
      expect(frontier.outages.probed('a.test', NO_ANSWER, 12).putBack).toHaveLength(2)
    })
  })

  describe('an absent host', () => {
    it('is probed with growing pauses until its patience is over, and given up with all its URLs', () => {
      const frontier = begun(20)
      const held = failAll(frontier, 1_000).map(({ id }) => id)
      const requested: number[] = []
      let now = 1_000
      for (let turn = 0; turn < 99 && frontier.unfinished > 0; turn++) {
        const actions = frontier.take(99, now)
        if (actions[0]?.type === 'skip') break
        if (actions[0]?.type === 'probe') {
          requested.push((now - 1_000) / 1_000)
          const { putBack, changes } = frontier.outages.probed('a.test', NO_ANSWER, now)
          if (requested.length === 1) expect(putBack).toEqual(held)
          for (const id of putBack) frontier.outages.putBack(id, now)
          if (requested.length === 1) expect(changes).toMatchObject([{ type: 'away', waiting: 20 }])
        }
        now = Math.max(now, frontier.wakeAt ?? now)
      }
      expect(requested).toEqual([0, 0.5, 1, 2, 4, 8, 16, 32, 62, 92, 120])
      expect(frontier.unfinished).toBe(0)
    })

    it('gets requests for its URLs again after it has come back, at first half as many at a time', () => {
      const frontier = begun(20)
      failAll(frontier, 0)
      frontier.take(9, 0)
      for (const id of frontier.outages.probed('a.test', NO_ANSWER, 0).putBack)
        frontier.outages.putBack(id, 0)
      expect(frontier.take(9, 499)).toEqual([])
      expect(frontier.hosts.away).toBe(1)
      expect(frontier.hosts.sleepers).toMatchObject({ count: 1, known: [{ host: 'a.test' }] })
      expect(gist(frontier.take(9, 500))).toEqual(['probe a.test'])
      expect(frontier.outages.probed('a.test', ANSWER, 510).changes).toEqual([
        { type: 'back', key: 'a.test', ms: 510 },
      ])
      expect(frontier.take(99, 510).map(({ type }) => type)).toEqual(Array(3).fill('visit'))
    })

    it('is probed with GET, too, before it counts as absent, since it may not support HEAD', () => {
      const frontier = begun(20)
      failAll(frontier, 0)
      frontier.take(9, 0)
      frontier.outages.probed('a.test', { ...NO_ANSWER, isConclusive: false }, 1)
      expect(frontier.take(9, 1)).toMatchObject([{ type: 'probe', method: 'GET' }])
      expect(frontier.outages.probed('a.test', ANSWER, 2).counted).toHaveLength(6)
      expect(frontier.hosts.away).toBe(0)
    })

    it('gets the pause that it asks for', () => {
      const frontier = begun(20)
      failAll(frontier, 0, BUSY)
      frontier.take(9, 0)
      frontier.outages.probed(
        'a.test',
        { ...NO_ANSWER, why: 'answered 503', retryAfter: 60_000 },
        0,
      )
      expect(frontier.take(9, 59_999)).toEqual([])
      expect(gist(frontier.take(9, 60_000))).toEqual(['probe a.test'])
    })

    it('is not a host that asks for too long a pause on some of its pages', () => {
      const frontier = begun(20)
      const actions = frontier.take(1, 0)
      frontier.outages.judge(idOf(actions, `${A}/1`), { ...BUSY, countsAnyway: true }, 0)
      const id = idOf(frontier.take(1, PATIENCE), `${A}/2`)
      const sign = { ...BUSY, countsAnyway: true }
      expect(frontier.outages.judge(id, sign, PATIENCE).changes).toEqual([])
    })

    it('is not a host that never responded', () => {
      const frontier = openFrontier(OUTAGE_OPTIONS)
      for (const url of pages(9)) frontier.addSeed(url, 0)
      expect(failAll(frontier, 0).map(({ outcome }) => outcome)).toEqual(Array(6).fill('count'))
    })
  })

  describe('an unreachable robots.txt after an outage', () => {
    const FAILED = { access: 'disallow-all', reason: 'refused', isTransient: true } as const

    /**
     * Returns the times at which robots.txt of an origin is requested, which always fails, until its URL is given up.
     */
    function asksFor(origin: string, frontier: Frontier): number[] {
      const requested: number[] = []
      for (let now = 0, turn = 0; turn < 99; turn++) {
        const [action] = frontier.take(1, now)
        if (action?.type === 'fail') return requested
        if (action?.type === 'robots') {
          requested.push(now)
          frontier.setRobots(origin, FAILED, now)
        }
        if (action === undefined) now = Math.max(now, frontier.wakeAt ?? now)
      }
      throw new Error('not given up')
    }

    it('is not waited for at an origin that never responded, even if another origin of its host did', () => {
      const frontier = withRobots()
      const id = idOf(frontier.take(9, 0), `${A}/`)
      frontier.outages.judge(id, GOOD, 0)
      frontier.visited(id, found(['https://a.test/1']), 0)
      // One after the other, since nothing else is left to do.
      expect(asksFor('https://a.test', frontier)).toEqual([0, 500, 1_500])
    })

    it('is waited for if it had redirected, which counts as a response of its host', () => {
      const frontier = openFrontier({ ...OUTAGE_OPTIONS, ignoreRobots: false })
      frontier.addSeed(`${A}/`, 0)
      frontier.take(1, 0)
      frontier.setRobots(A, { access: 'moved', to: `${A}/moved.txt` }, 0)
      expect(asksFor(A, frontier).at(-1)).toBe(PATIENCE)
    })
  })

  describe('a URL that fails each time its host goes away', () => {
    it('is given up at the fourth time', () => {
      const frontier = begun(1)
      const outcomes: string[] = []
      for (let now = 0; now < 9_000; now += 1_000) {
        const [failed] = failAll(frontier, now)
        if (failed === undefined) break
        frontier.take(9, now)
        const { putBack, counted } = frontier.outages.probed('a.test', NO_ANSWER, now)
        outcomes.push(putBack.length > 0 ? 'put back' : counted.length > 0 ? 'failed' : '')
        for (const id of putBack) frontier.outages.putBack(id, now)
        for (const id of counted) frontier.failed(id, now)
        frontier.take(9, now + 500)
        frontier.outages.probed('a.test', ANSWER, now + 600)
      }
      expect(outcomes).toEqual(['put back', 'put back', 'put back', 'failed'])
    })
  })

  function withRobots(): Frontier {
    const frontier = openFrontier({ ...OUTAGE_OPTIONS, ignoreRobots: false })
    frontier.addSeed(`${A}/`, 0)
    frontier.take(1, 0)
    frontier.setRobots(A, { access: 'allow-all' }, 0)
    return frontier
  }
}
