import { describe, expect, it } from 'vitest'
import { latencyOf } from './latency.ts'

const pages = [...Array(10_000).keys()]
const latencies = pages.map((page) => latencyOf(page, 1))

describe('latencyOf', () => {
  it('returns the same time for the same page and seed, and others for other seeds', () => {
    expect(pages.map((page) => latencyOf(page, 1))).toEqual(latencies)
    const same = pages.filter((page) => latencyOf(page, 2) === latencies[page])
    expect(same.length).toBeLessThan(10)
  })

  it('returns 0 to 30 ms evenly, and up to 200 for a few pages', () => {
    const slow = latencies.filter((latency) => latency > 30)
    expect(Math.min(...latencies)).toBeLessThan(1)
    expect(Math.max(...latencies)).toBeGreaterThan(150)
    expect(Math.max(...latencies)).toBeLessThan(200)
    expect(slow.length / pages.length).toBeCloseTo(0.02 * (170 / 200), 2)
    const mean = latencies.reduce((sum, latency) => sum + latency) / pages.length
    expect(mean).toBeCloseTo(0.98 * 15 + 0.02 * 100, 0)
  })
})
