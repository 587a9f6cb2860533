import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { JobProgress } from '../../../src/cluster/agent/job-progress.ts'
import { SharedFrontier } from '../../../src/cluster/agent/shared-frontier.ts'
import { encodeSharedUrl } from '../../../src/cluster/agent/shared-url.ts'
import { temporaryStorage } from '../../../src/state/crawl-storage.ts'
import { found } from '../../frontier/open-frontier.ts'

const OPTIONS = { depth: 2, perHost: 1, delay: 0, ignoreRobots: true, hostPatience: 120_000 }
const ANSWERED_URL = 'http://a.test/'
const REFUSED = {
  ...({ presence: 'away', why: 'refused', kind: 'silence' } as const),
  ...{ isFinal: true, countsAnyway: false, retryAfter: 0 },
}

/**
 * Returns a frontier that leases one host for some milliseconds, with this number of URLs. The host had one page before.
 * @param attempts how often each URL was handed out before and lost
 */
function holding(ms: number, count = 1, options = {}, attempts = 0): SharedFrontier {
  const seeds = { has: () => false, countAsSeed() {} }
  const all = { ...OPTIONS, ...options }
  const frontier = new SharedFrontier(all, temporaryStorage(), seeds, { addIfNew() {} })
  onTestFinished(() => frontier.close())
  const urls = Array.from({ length: count }, (_, page) => {
    const url = `http://a.test/${page}`
    const shared = { url, sameDepthHops: 0, redirects: 0, hop: 'link', isSeed: false } as const
    return { id: `${page}`, depth: 1, attempts, text: encodeSharedUrl(shared) }
  })
  const past = JSON.stringify({
    pause: 0,
    pages: 1,
    errors: 0,
    demands: 0,
    answeredUrl: ANSWERED_URL,
  })
  const share = { host: 'a.test', epoch: '1', urls, hasMore: false, past, robots: [] }
  const until = frontier.leases.clock.now + ms
  frontier.leases.applyReply(0, { lost: [], hosts: [share], known: 0 }, until, 0)
  return frontier
}

/** Lets the next URL fail without a response. Returns its id. */
function failNext(frontier: SharedFrontier): number {
  const [order] = frontier.take(1, 0)
  if (order?.type !== 'visit') throw new Error('no visit')
  const { id } = order.crawlUrl
  expect(frontier.outages.judge(id, REFUSED, 0).outcome).toBe('hold')
  frontier.completion.answeredEarly(id, { health: 'unsure' }, 0)
  return id
}

describe('the frontier of a job', () => {
  it('hands out nothing while the job is paused, and continues when it is resumed', () => {
    const frontier = holding(60_000)
    frontier.setPaused(true)
    expect(frontier.take(1, 0)).toEqual([])
    expect(frontier.wakeAt).toBeUndefined()
    frontier.setPaused(false)
    expect(frontier.wakeAt).toBe(0)
    expect(frontier.take(1, 0)).toHaveLength(1)
  })

  it('hands out nothing when a lease may have ended, also after the machine was suspended', () => {
    expect(holding(0).take(1, 0)).toEqual([])
    const frontier = holding(60_000)
    const now = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 61_000)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(frontier.take(1, 0)).toEqual([])
  })

  it('probes a host with failures before it releases it, although other URLs of the host wait', () => {
    const frontier = holding(60_000, 40)
    failNext(frontier)
    frontier.leases.shrinkTo(0)
    expect(frontier.take(9, 1)).toMatchObject([{ type: 'probe', url: ANSWERED_URL }])
  })

  it('counts a URL that another process has lost as a new page, and as another attempt', () => {
    const frontier = holding(60_000, 4, { perHost: 9, maxPerHost: 3 }, 1)
    const actions = frontier.take(9, 0)
    expect(actions.map(({ type }) => type)).toEqual(['visit', 'visit', 'skip', 'skip'])
    expect(actions[0]).toMatchObject({ crawlUrl: { attempt: 2 } })
  })

  it('reports the pages of a host without those that another process would fetch again', () => {
    const frontier = holding(60_000, 4, { perHost: 9 })
    const [visit] = frontier.take(9, 0)
    if (visit?.type !== 'visit') throw new Error('no visit')
    frontier.failed(visit.crawlUrl.id, 1)
    const [lease] = frontier.leases.all
    const { done, past = '' } = frontier.leases.report(lease ?? expect.fail(), 1, false)
    expect(done).toHaveLength(1)
    expect(JSON.parse(past).pages).toBe(2)
  })

  it('requests nothing of a host that it has lost, and drops its failures', () => {
    const frontier = holding(60_000, 40)
    const id = failNext(frontier)
    frontier.leases.lose('a.test', 1)
    expect(frontier.completion.isLost(id)).toBe(true)
    expect(frontier.take(9, 1)).toEqual([{ type: 'count-failures', host: 'a.test', ids: [id] }])
    frontier.failed(id, 1)
    expect([frontier.completion.isLost(id), frontier.takeFound()]).toEqual([false, []])
  })

  it.each([
    [false, ['http://b.test/']],
    [true, []],
  ])(
    'pushes links of a late response of a lost host, unless the job is complete: %s',
    (isComplete, expected) => {
      const frontier = holding(60_000)
      const [order] = frontier.take(1, 0)
      if (order?.type !== 'visit') throw new Error('no visit')
      frontier.leases.lose('a.test', 1)
      const progress = new JobProgress()
      const none = { added: 0, visits: 0, bytes: 0, open: [], free: 0, active: 0, orphans: 0 }
      progress.update([isComplete ? none : { ...none, open: [[1, 1]] }])
      progress.update([isComplete ? none : { ...none, open: [[1, 1]] }])
      frontier.setProgress(progress)
      frontier.visited(order.crawlUrl.id, found(['http://b.test/']), 1)
      expect(frontier.takeFound().map(({ url }) => url)).toEqual(expected)
    },
  )
})
