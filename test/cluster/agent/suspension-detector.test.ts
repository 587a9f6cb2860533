import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { SuspensionDetector } from '../../../src/cluster/agent/suspension-detector.ts'
import { startAgent } from '../../support/job-agent.ts'
import { freshName, REDIS_SETUPS } from '../../support/redis-setups.ts'
import { startSlowSite } from '../../support/slow-site.ts'
import { until } from '../../support/until.ts'

const LEASE_MS = 2_000

describe('SuspensionDetector', () => {
  let now = 0
  const absence = () =>
    new SuspensionDetector(
      {
        get now() {
          return now
        },
      },
      LEASE_MS,
    )
  beforeEach(() => {
    now = 0
  })

  it('detects no absence while it checks within its lease', () => {
    const each = absence()
    for (; now < 10 * LEASE_MS; now += LEASE_MS) each.check()
    expect([each.wasAbsent, each.take()]).toEqual([false, 0])
  })

  it('detects no absence while it watches, even if nothing else checks', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const each = new SuspensionDetector(
      {
        get now() {
          return Date.now()
        },
      },
      LEASE_MS,
    )
    each.watch()
    onTestFinished(() => each.stop())
    vi.advanceTimersByTime(10 * LEASE_MS)
    each.check()
    expect(each.wasAbsent).toBe(false)
  })

  it('detects an absence longer than the lease, and returns the longest since the last call', () => {
    const each = absence()
    now = LEASE_MS + 1
    each.check()
    now += 3 * LEASE_MS
    each.check()
    now += 10
    each.check()
    expect([each.wasAbsent, each.take(), each.wasAbsent]).toEqual([true, 3 * LEASE_MS, false])
  })
})

/** A suspended machine, as its clocks show it: the wall clock has advanced, the monotonic clock hasn't. */
describe.each(REDIS_SETUPS)(
  'a process on %s that was suspended for longer than its lease',
  (_, start) => {
    let suspended = 0
    beforeEach(() => {
      suspended = 0
      const now = Date.now
      vi.spyOn(Date, 'now').mockImplementation(() => now() + suspended)
    })
    afterEach(() => void vi.restoreAllMocks())

    it('logs that, and gives its hosts back before it continues', async () => {
      const site = await startSlowSite()
      onTestFinished(() => site.close())
      const { url } = await start()
      const settings = { seeds: [site.url], depth: 1, frontier: [url], job: freshName() }
      const agent = startAgent({ ...settings, lease: '6s' })
      const slow = () => site.requests.filter((each) => each.url === '/slow').length
      await until(() => slow() === 1)
      suspended = 3_600_000
      const logLine =
        'This process was away for 3600 s, longer than its lease of 4.5 s: it returns all hosts that it had leased (1) before it continues'
      await until(() => agent.log().includes(logLine))
      site.answer()
      const { visits, summary } = await agent.ended
      // The response was for a host that had been given back by then, so the page was requested again.
      expect(slow()).toBe(2)
      const paths = visits.map((visit) => visit.url.slice(site.url.length))
      expect(paths.toSorted()).toEqual(['/', '/quick', '/slow'])
      expect(summary.reason).toBe('finished')
    })
  },
)
