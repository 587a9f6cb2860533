import { expect, it } from 'vitest'
import { pageHeader } from '../../../src/inspect/report/page-header.ts'

const OVERVIEW = {
  ...{ visits: 4, fine: 3, unchanged: 0, redirects: 0, broken: 0, hosts: 1, bytes: 8, depth: 1 },
  ...{ from: null, to: null, median: null, p90: null, p99: null },
}

it('the report header counts unchanged pages separately, if there are any', () => {
  const without = pageHeader('visits.jsonl', OVERVIEW).text
  expect(without).toMatch(/OK \(2xx\)<\/dt><dd>3</)
  expect(without).not.toContain('304')
  const header = pageHeader('visits.jsonl', { ...OVERVIEW, fine: 1, unchanged: 2 }).text
  expect(header).toMatch(/OK \(2xx\)<\/dt><dd>1</)
  expect(header).toMatch(/Unchanged \(304\)<\/dt><dd>2</)
})
