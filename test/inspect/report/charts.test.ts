import { load } from 'cheerio'
import { expect, it } from 'vitest'
import { chartSections } from '../../../src/inspect/report/chart-sections.ts'

const none = { timeline: undefined, outcomes: [], depths: [], types: [], times: [] }
const groups = (length: number) => Array.from({ length }, (_, label) => ({ label, count: 10 }))

it('a chart combines all bars beyond a dozen, even groups that were not read', () => {
  const page = load(chartSections({ ...none, visits: 500, depths: groups(100) }).text)
  const labels = page('.label').map((_, label) => page(label).text())
  expect([...labels]).toEqual([...Array.from({ length: 11 }, (_, at) => String(at)), 'others'])
  expect(page('.count').last().text()).toBe('390')
  const twelve = load(chartSections({ ...none, visits: 120, depths: groups(12) }).text)
  expect(twelve('.label').last().text()).toBe('11')
})

it('a chart of statuses names them, with colors for OK, redirects and errors', () => {
  const outcomes = [
    { label: 200, count: 8 },
    { label: 301, count: 1 },
    { label: 'timeout', count: 1 },
  ]
  const page = load(chartSections({ ...none, visits: 10, outcomes }).text)
  expect([...page('li').map((_, bar) => page(bar).text())]).toEqual([
    ...['200 OK880 %', '301 Moved Permanently110 %', 'timeout110 %'],
  ])
  expect([...page('rect').map((_, rect) => page(rect).attr('class'))]).toEqual([
    ...['fine', 'moved', 'broken'],
  ])
})

it('a chart over time has columns: all visits behind, broken ones in front', () => {
  const intervals = [
    { count: 4, broken: 1 },
    { count: 0, broken: 0 },
    { count: 2, broken: 2 },
  ]
  const timeline = { from: Date.UTC(2026, 0, 31, 23, 59, 58), intervalMs: 1_000, intervals }
  const page = load(chartSections({ ...none, visits: 6, timeline }).text)
  const heights = (tone: string) => [
    ...page(`rect.${tone}`).map((_, rect) => Number(page(rect).attr('height'))),
  ]
  expect([heights('plain'), heights('broken')]).toEqual([
    [100, 0, 50],
    [25, 0, 50],
  ])
  expect(page('title').last().text()).toBe('after 2 s: 2.0 visits/s, 2 broken')
  expect(page('figcaption').text()).toMatch(/^2026-01-31 23:59:58.+2026-02-01 00:00:01$/)
})

it('a chart over time may end after the last time that a date can have', () => {
  const timeline = { from: 8.64e15, intervalMs: 1_000, intervals: [{ count: 1, broken: 0 }] }
  const page = load(chartSections({ ...none, visits: 1, timeline }).text)
  expect(page('figcaption').text()).toContain('+275760-09-13')
})

it('charts with nothing to compare are left out, and others have a bar per value', () => {
  const count = (label: string | number | null, count: number) => ({ label, count })
  const times = [0, 3, 0, 1, 0].map((count, at) => ({ below: 10 ** at, count }))
  const page = load(
    chartSections({
      ...{ ...none, visits: 4, times, types: [count(null, 4)], depths: [count(0, 4)] },
      outcomes: [count(200, 10_000), count(404, 1)],
    }).text,
  )
  expect([...page('h2').map((_, heading) => page(heading).text())]).toEqual([
    ...['Outcome', 'Response time'],
  ])
  const widths = [...page('rect').map((_, rect) => page(rect).attr('width'))]
  expect(widths).toEqual(['100.00', '1.00', '100.00', '0', '33.33'])
})
