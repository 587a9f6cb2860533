import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Waits, Watchdog } from '../../../src/crawl/stats/watchdog.ts'
import { createLogger } from '../../../src/logger.ts'

const nothing: Waits = {
  requests: { count: 0, oldest: [] },
  robots: { count: 0, oldest: [] },
  hosts: { count: 0, first: [] },
  isPaused: false,
  isCongested: false,
  limits: [],
}

/** Starts a watchdog that warns after a minute. Returns it and its log. */
async function watch(waits: Partial<Waits> = {}) {
  const stream = new PassThrough()
  const logger = await createLogger({ level: 'warn', stream, pretty: false })
  const watchdog = new Watchdog(logger, 60_000, () => ({ ...nothing, ...waits }))
  const lines = () =>
    String(stream.read() ?? '')
      .split('\n')
      .filter(Boolean)
  return { watchdog, barks: () => lines().map((line): string => JSON.parse(line).msg) }
}

describe('the watchdog', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('warns if there was no response for a minute, and then each minute', async () => {
    const { barks } = await watch()
    vi.advanceTimersByTime(59_999)
    expect(barks()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(barks()).toEqual(['No response for 60 s: nothing is in flight'])
    vi.advanceTimersByTime(59_999)
    expect(barks()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(barks()).toEqual(['No response for 120 s: nothing is in flight'])
  })

  it('is silent for a minute after a response', async () => {
    const { watchdog, barks } = await watch()
    vi.advanceTimersByTime(59_000)
    watchdog.moved()
    vi.advanceTimersByTime(59_000)
    expect(barks()).toEqual([])
    vi.advanceTimersByTime(1_000)
    expect(barks()).toHaveLength(1)
  })

  it('reports that the job is paused', async () => {
    const { barks } = await watch({ isPaused: true })
    vi.advanceTimersByTime(60_000)
    expect(barks()).toEqual(['No response for 60 s: the job is paused'])
  })

  it('reports what the crawl is waiting for', async () => {
    const { barks } = await watch({
      requests: { count: 7, oldest: [{ url: 'http://a.test/1', ms: 75_000 }] },
      robots: { count: 1, oldest: [{ url: 'http://b.test/robots.txt', ms: 61_000 }] },
      hosts: {
        count: 2,
        first: [
          { host: 'c.test', ms: 3_540_000, isAway: false },
          { host: 'd.test', ms: 3_600_000, isAway: true },
        ],
      },
      isCongested: true,
    })
    vi.advanceTimersByTime(60_000)
    expect(barks()).toEqual([
      'No response for 60 s: 7 requests in flight (http://a.test/1 for 75 s); ' +
        '1 robots.txt request (http://b.test/robots.txt for 61 s); ' +
        '2 waiting hosts (c.test for another 3540 s, d.test for another 3600 s, which has stopped answering); ' +
        'the reader of the output has not caught up',
    ])
  })

  it('counts waiting hosts in the database, without their names', async () => {
    const { barks } = await watch({ hosts: { count: 1, first: [] } })
    vi.advanceTimersByTime(60_000)
    expect(barks()).toEqual(['No response for 60 s: 1 waiting host'])
  })

  it('is silent after it was stopped', async () => {
    const { watchdog, barks } = await watch()
    watchdog.stop()
    vi.advanceTimersByTime(300_000)
    expect(barks()).toEqual([])
  })
})
