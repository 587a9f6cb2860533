import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveTree } from './tree-site.ts'

it('hybrid loses no page with a filter a hundred times too small', async () => {
  // If a page were lost, all pages below it would be lost, too.
  const site = await serveTree(1_000)
  const flags = ['-d', '99', '-w', '2', '--per-host', '64', '--seen', 'hybrid']
  const run = await callCrawl([`${site.url}/1`, ...flags, '--expected-urls', '12'])
  expect(run.code).toBe(0)
  expect(new Set(run.visits.map(({ url }) => url)).size).toBe(1_000)
  expect(run.visits).toHaveLength(1_000)
  const { seen } = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '')
  expect(seen).toMatchObject({ added: 1_000, falsePositiveRate: 0 })
  // The filter alone would call a third of the pages known.
  expect(seen.fill ** 10).toBeGreaterThan(0.3)
})
