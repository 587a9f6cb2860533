import { expect, it } from 'vitest'
import { CacheBudget } from '../../../src/fetch-worker/links/cache-budget.ts'

const URLS = Array.from({ length: 20_000 }, (_, index) => `https://example.com/${index}`.padEnd(64))

it('is used up by some 16,000 URLs, and whole again when all is forgotten', () => {
  const allowance = new CacheBudget()
  for (const url of URLS.slice(0, 16_000)) allowance.spend(url)
  expect(allowance.isExceeded).toBe(false)
  for (const url of URLS.slice(16_000)) allowance.spend(url)
  expect(allowance.isExceeded).toBe(true)
  allowance.reset()
  expect(allowance.isExceeded).toBe(false)
})
