import { describe, expect, it } from 'vitest'
import { frameLines } from '../../../src/cli/terminal/frame.ts'
import type { Stats } from '../../../src/crawl/stats/stats.ts'
import { hostSample, momentSample } from './sample.ts'

const LONG = `${'a-very-long-label.'.repeat(13)}example`
const busiest = [hostSample('www.example.com'), hostSample(LONG, { inFlight: 2, latency: 1_234 })]
const slowest = [hostSample('slow.example', { latency: 12_345, inFlight: 1, queued: 0 })]

describe('the view of a crawl', () => {
  it('shows everything at 80 columns', () => {
    const frame = frameLines(momentSample({ busiest, slowest }), { columns: 80, rows: 24 })
    expect(frame.map((line) => line.trimEnd())).toEqual([
      '1,234,567 visits   413/s   98,765 queued   32 in flight   560 HTTP errors',
      '7 failed   3:07   150 MiB   seen set 46 % full   1 new URL in 2,381 missed',
      'worker    pages   /s  in flight  failed    found',
      '1       617,280  206         16       3  650,000',
      '2       617,280  207         16       3  650,000',
      'busiest hosts                                 pages  latency  in flight  queued',
      'www.example.com                              12,345    23 ms          6     678',
      'a-very-long-label.a-very-long-label.a-very…  12,345    1.2 s          2     678',
      'slowest hosts   pages  latency  in flight  queued',
      'slow.example   12,345   12.3 s          1       0',
    ])
  })

  it('counts the current round', () => {
    const moment = momentSample()
    const { bytes, retries, skipped } = moment.stats
    const counts = { statuses: { 200: 8, 404: 2 }, errors: {}, failed: 0, bytes, retries, skipped }
    const round = { number: 2, elapsedMs: 3_000, visits: 10, ...counts }
    const stats = { ...moment.stats, round }
    const frame = frameLines({ ...moment, stats }, { columns: 80, rows: 24 })
    expect(frame.slice(0, 2).join('   ')).toMatch(
      /^10 visits in round 2 .+ 2 HTTP errors +0 failed +3\.0 s /,
    )
  })

  it('lists the hosts that the crawl waits for, and until when', () => {
    const away = [
      { host: 'gone.example', ms: 75_000, nextMs: 12_300, queued: 9 },
      { host: `${'long.'.repeat(20)}example`, ms: 500, nextMs: 0, queued: 9 },
    ]
    const moment = momentSample({ away })
    const stats = { ...moment.stats, hostsAway: 3 }
    const frame = frameLines({ ...moment, stats }, { columns: 80, rows: 24 })
    expect(frame.slice(2, 5)).toEqual([
      'waiting for gone.example, which has not answered for 1:15; retried in 12.3 s',
      expect.stringMatching(/^waiting for long\.long\..+…$/),
      'and for 1 more host',
    ])
  })

  it('shows that the job is paused', () => {
    const moment = momentSample()
    const line = 'the job is paused: nothing is requested until crawl job resume'
    const frameOf = (stats: Stats) => frameLines({ ...moment, stats }, { columns: 80, rows: 24 })
    expect(frameOf({ ...moment.stats, paused: true })[2]).toBe(line)
    expect(frameOf(moment.stats)).not.toContain(line)
  })

  it('shows how many hosts wait and why, and short waits only if no request is in flight', () => {
    const paused = [
      { host: 'busy.example', reason: 'retry-after', nextMs: 59_000 },
      { host: 'slow.example', reason: 'crawl-delay', nextMs: 4_000 },
      { host: 'flaky.example', reason: 'retry', nextMs: 2_500 },
      { host: 'fast.example', reason: 'delay', nextMs: 100 },
    ] as const
    const moment = momentSample({ paused })
    const linesWith = (inFlight: number) => {
      const stats = { ...moment.stats, inFlight }
      const frame = frameLines({ ...moment, stats }, { columns: 80, rows: 24 })
      return frame.filter((line) => line.startsWith('waiting'))
    }
    expect(linesWith(0)).toEqual([
      'waiting for busy.example: Retry-After of a response, 59.0 s left',
      'waiting for slow.example: Crawl-delay in robots.txt, 4.0 s left',
      'waiting for flaky.example: another attempt after a failure, 2.5 s left',
    ])
    expect(linesWith(3)).toEqual([
      'waiting for busy.example: Retry-After of a response, 59.0 s left',
    ])
  })

  it.each([1, 10, 40, 80, 200, 1_000])(
    'never fills a line of %i columns, nor one of 80',
    (columns) => {
      const frame = frameLines(momentSample({ busiest, slowest }), { columns, rows: 24 })
      expect(Math.max(...frame.map(({ length }) => length))).toBeLessThan(
        Math.max(2, Math.min(80, columns)),
      )
      expect(frame.length).toBeGreaterThan(5)
    },
  )

  it('drops columns at 40, but never the names of rows', () => {
    const frame = frameLines(momentSample({ busiest }), { columns: 40, rows: 24 })
    expect(frame).toContainEqual(expect.stringMatching(/^worker +pages +\/s +in flight +failed$/))
    expect(frame).toContainEqual(expect.stringMatching(/^www\.exampl… +12,345 +23 ms +6$/))
  })

  it('shows one table of hosts if the slowest are the busiest', () => {
    const [first] = busiest
    const hosts = { busiest, slowest: first === undefined ? [] : [first] }
    const frame = frameLines(momentSample(hosts), { columns: 200, rows: 24 })
    expect(frame.filter((line) => line.includes('hosts'))).toEqual([
      expect.stringMatching(/^hosts {2}/),
    ])
  })

  it.each([1, 2, 5, 10, 16])('fits in %i lines, and leaves the last one empty', (rows) => {
    const frame = frameLines(momentSample({ busiest, slowest }, 64), { columns: 80, rows })
    expect(frame.length).toBeLessThan(rows)
  })

  it('shows how many workers are hidden', () => {
    const frame = frameLines(momentSample({ busiest }, 64), { columns: 80, rows: 16 })
    const workers = frame.filter((line) => /^\d+ +617,280/.test(line)).length
    expect(workers).toBeGreaterThan(3)
    expect(frame).toContainEqual(expect.stringMatching(new RegExp(`^${64 - workers} more`)))
  })
})
