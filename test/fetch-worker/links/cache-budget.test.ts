import { expect, it } from 'vitest'
import { CacheBudget } from '../../../src/fetch-worker/links/cache-budget.ts'

const URLS = Array.from({ length: 20_000 }, (_, index) => `https://example.com/${index}`.padEnd(64))

it('the cache budget is exceeded after about 16,000 URLs, and full again after a reset', () => {
  const allowance = new CacheBudget()
  for (const url of URLS.slice(0, 16_000)) allowance.spend(url)
  expect(allowance.isExceeded).toBe(false)
  for (const url of URLS.slice(16_000)) allowance.spend(url)
  expect(allowance.isExceeded).toBe(true)
  allowance.reset()
  expect(allowance.isExceeded).toBe(false)
})
