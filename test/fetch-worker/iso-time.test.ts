import { expect, it } from 'vitest'
import { isoTime } from '../../src/fetch-worker/iso-time.ts'

it('isoTime returns the same as Date, whatever time came before', () => {
  const base = Date.UTC(2026, 10, 23, 23, 59, 59)
  for (const after of [0, 7, 42, 999, 1_000, 500, 86_400_000, 86_400_001]) {
    expect(isoTime(base + after)).toBe(new Date(base + after).toISOString())
  }
})
