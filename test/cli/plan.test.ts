import { describe, expect, it } from 'vitest'
import type { ScalePlan } from '../../src/capacity/plan-scale.ts'
import type { StrategyComparison } from '../../src/seen/compare-strategies.ts'
import { callCrawl } from '../support/call-cli.ts'

const BLOOMS = ['bloom-growing', 'bloom', 'bloom-counting', 'bloom-aging']
const NAMES = [...BLOOMS, 'digest', 'exact', 'sqlite', 'hybrid']

async function plan(...args: string[]): Promise<StrategyComparison & { scale?: ScalePlan }> {
  const run = await callCrawl(['plan', ...args, '--json'])
  expect(run).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(run.stdout)
}

describe('crawl plan', () => {
  it('prints the cost of each strategy as JSON', async () => {
    const { urls, falsePositiveRate, strategies } = await plan('--urls', '1e6')
    expect({ urls, falsePositiveRate }).toEqual({ urls: 1_000_000, falsePositiveRate: 0.001 })
    expect([...new Set(strategies.map(({ seen }) => seen))]).toEqual(NAMES)
    const of = (name: string) => strategies.find(({ seen }) => seen === name)
    // 14.4 bits by the formula, 2.1 for the locks and 10.7 for the audit.
    expect(of('bloom')).toMatchObject({ hashes: 10 })
    expect(of('bloom')?.bitsPerUrl).toBeGreaterThan(14.4)
    expect(of('bloom')?.bitsPerUrl).toBeLessThan(28)
    expect(of('exact')).toMatchObject({ expectedLost: 0 })
    expect(of('exact')).not.toHaveProperty('diskBytes')
    expect(of('hybrid')).toMatchObject({ hashes: 10, expectedLost: 0, diskBytes: 120_000_000 })
    expect(strategies.filter(({ refusal }) => refusal !== undefined)).toEqual([])
  })

  it('reads its own options, also those named like crawl options', async () => {
    const { falsePositiveRate, strategies } = await plan('--false-positive-rate', '1e-4')
    expect(falsePositiveRate).toBe(0.0001)
    expect(strategies.find(({ seen }) => seen === 'bloom')?.hashes).toBe(13)
  })

  it('prints a table, and reports the limit of impossible sizes', async () => {
    const run = await callCrawl(['plan', '--urls', '1e9', '--false-positive-rate', '1e-4'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const lines = run.stdout.split('\n')
    expect(lines.find((line) => line.startsWith('bloom-growing'))).toMatch(/ \d{2,3},\d{3}$/)
    expect(lines[0]).toMatch(/^1,000,000,000 URLs at a false-positive rate of 0.0001; this machine/)
    for (const name of NAMES) expect(lines.some((line) => line.startsWith(name))).toBe(true)
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^bloom can't: .+ 2\^32 bits: at this rate .+ at most 22\d,\d{3},\d{3}/,
      ),
    )
    expect(lines).toContainEqual(expect.stringMatching(/^exact can't: .+at most 38,347,922 URLs/))
  })

  it('shows sizes in the largest unit that fits', async () => {
    const { stdout } = await callCrawl(['plan', '--urls', '5e10'])
    expect(stdout).toMatch(/^hybrid .+ 5\.5 TiB /m)
  })

  it('plans machines, days, Redis and disk for pages on hosts', async () => {
    const scale = ['--pages', '1e9', '--hosts', '1e6', '--delay', '1s', '--cores', '16']
    const { urls, scale: found } = await plan(...scale, '--machines', '4')
    expect(urls).toBe(6_500_000_000)
    expect(found).toMatchObject({ pages: 1e9, hosts: 1e6, delay: 1_000, pageSize: 25_000 })
    expect(found?.plans).toMatchObject([{ machines: 4, redis: { disk: expect.any(Number) } }])
    const { stdout } = await callCrawl(['plan', ...scale, '--urls', '2e9'])
    expect(stdout).toMatch(/^2,000,000,000 URLs at a false-positive rate of 0.001/)
    expect(stdout).toContain('\n1,000,000,000 pages of 24.4 KiB and 62 links on 1,000,000 hosts, ')
    expect(stdout).toMatch(/\nmachines +processes +pages\/s +days +limited by /)
    expect(stdout).toMatch(/\n1 +\d+ +[\d,]+ +[\d.]+ +main thread /)
    expect(stdout).toMatch(/\nThe hosts allow 833,333 pages\/s together \(a delay of 1.0 s,/)
  })

  it.each([
    [['--hosts', '5'], '--hosts: expected --pages with it'],
    [['--pages', '5'], '--pages: expected --hosts with it'],
    [['--pages', '5', '--hosts', '6'], '--hosts: expected a whole number from 1 to 5, got `6`'],
    [
      ['--pages', '5', '--hosts', '1', '--urls', '4'],
      '--urls: expected at least as many URLs as --pages, got `4`',
    ],
    [
      ['--pages', '5', '--hosts', '1', '--delay', '1'],
      '--delay: expected a duration such as "500ms" or "2s", got `1`',
    ],
    [
      ['--pages', '5', '--hosts', '1', '--page-size', '0kB'],
      '--page-size: expected a size such as "25kB" or "1MiB", got `0kB`',
    ],
  ])('refuses %s', async (args, message) => {
    const run = await callCrawl(['plan', ...args])
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: `crawl: ${message}\n` })
  })

  it.each([
    ['--urls', '0', 'a whole number from 1 to 1e15'],
    ['--urls', 'many', 'a whole number from 1 to 1e15'],
    ['--false-positive-rate', '1', 'a number of at least 1e-18 and below 1'],
    ['--false-positive-rate', '0', 'a number of at least 1e-18 and below 1'],
  ])('refuses %s %s', async (flag, value, expected) => {
    expect(await callCrawl(['plan', flag, value])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: `crawl: ${flag}: expected ${expected}, got \`${value}\`\n`,
    })
  })

  it('refuses options of crawl', async () => {
    const run = await callCrawl(['plan', '--depth', '3'])
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain("unknown option '--depth'")
  })
})
