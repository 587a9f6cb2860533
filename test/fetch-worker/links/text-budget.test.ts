import { expect, it } from 'vitest'
import { TextAllowance } from '../../../src/fetch-worker/links/text-budget.ts'

const URLS = Array.from({ length: 20_000 }, (_, index) => `https://example.com/${index}`.padEnd(64))

it('is used up by some 16,000 URLs, and whole again when all is forgotten', () => {
  const allowance = new TextAllowance()
  for (const url of URLS.slice(0, 16_000)) allowance.use(url)
  expect(allowance.isUsedUp).toBe(false)
  for (const url of URLS.slice(16_000)) allowance.use(url)
  expect(allowance.isUsedUp).toBe(true)
  allowance.reset()
  expect(allowance.isUsedUp).toBe(false)
})
