import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { encodeFound } from '../../../src/frontier/shared/found-url.ts'
import { SharedFrontier } from '../../../src/frontier/shared/shared-frontier.ts'
import { temporaryStore } from '../../../src/state/store.ts'

const OPTIONS = { depth: 1, perHost: 1, delay: 0, ignoreRobots: true }

/** A frontier that holds one host for so many milliseconds, with one URL. */
function holding(ms: number): SharedFrontier {
  const seeds = { has: () => false, join() {} }
  const frontier = new SharedFrontier(OPTIONS, temporaryStore(), seeds)
  onTestFinished(() => frontier.close())
  const text = encodeFound({
    ...{ url: 'http://a.test/', sidesteps: 0, redirects: 0, hop: 'link', isSeed: false },
  })
  const urls = [{ id: '1', depth: 1, attempts: 0, text }]
  const share = { host: 'a.test', epoch: '1', urls, left: false, robots: [] }
  const until = frontier.tenancies.clock.now + ms
  frontier.tenancies.settleIn(0, { lost: [], hosts: [share], known: 0 }, until, 0)
  return frontier
}

describe('the frontier of a job', () => {
  it('wakes nobody while the job is paused, and hands out what it has when that goes on', () => {
    const frontier = holding(60_000)
    frontier.isPaused = true
    expect(frontier.take(1, 0)).toEqual([])
    expect(frontier.wakeAt).toBeUndefined()
    frontier.isPaused = false
    expect(frontier.wakeAt).toBe(0)
    expect(frontier.take(1, 0)).toHaveLength(1)
  })

  it('hands out nothing when a lease may have ended, also while the machine was suspended', () => {
    expect(holding(0).take(1, 0)).toEqual([])
    const frontier = holding(60_000)
    const now = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 61_000)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(frontier.take(1, 0)).toEqual([])
  })
})
