import { load } from 'cheerio'
import { expect, it } from 'vitest'
import { logSection } from '../../../src/inspect/report/log-section.ts'

const sample = (elapsedMs: number, visits: number, falsePositiveRate: number) => ({
  ...{ elapsedMs, visits, queued: visits * 2, rss: 5e7, seenBytes: 1e6, falsePositiveRate },
})

it('the log section has charts of rate, queue, memory and false positives over time', () => {
  const samples = [sample(1_000, 40, 0), sample(2_000, 120, 0.001), sample(4_000, 160, 0.002)]
  const page = load(logSection(samples).text)
  const texts = (selector: string) =>
    page(selector)
      .toArray()
      .map((each) => page(each).text())
  expect(texts('.panel h2')).toEqual([
    ...['Pages per second', 'Queue', 'Memory', 'False-positive rate of the seen set'],
  ])
  expect(texts('.scale')).toEqual(['80/s', '320 URLs', '50 MB', '1 in 500'])
  expect(page('polyline').first().attr('points')).toBe('250.0,50.00 500.0,0.00 1000.0,75.00')
  expect(texts('g title').slice(0, 3)).toEqual([
    ...['after 1 s: pages 40/s', 'after 2 s: pages 80/s', 'after 4 s: pages 20/s'],
  ])
  expect(texts('g title')[6]).toBe('after 1 s: process 50 MB, seen set 1 MB')
})

it('the log section has no chart of a false-positive rate of 0, and no charts for one moment', () => {
  const exact = logSection([sample(1_000, 1, 0), sample(2_000, 2, 0)]).text
  expect(exact).toContain('the false-positive rate of its seen set was 0')
  expect(exact).not.toContain('False-positive rate')
  expect(logSection([sample(1_000, 1, 0)]).text).not.toContain('<svg')
})
