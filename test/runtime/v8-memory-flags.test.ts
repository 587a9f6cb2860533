import { cachedDataVersionTag } from 'node:v8'
import { expect, it, vi } from 'vitest'
import { applyMemoryFlags, liftYoungGenerationLimit } from '../../src/runtime/v8-memory-flags.ts'

it('the bound of the young generation is lifted until the last thread has loaded its program, and after the crawl', async () => {
  // For some seconds, crawls of earlier tests in this process lift the bound, too.
  await vi.waitFor(checkLifts, { timeout: 60_000 })
})

function checkLifts(): void {
  const { restore } = applyMemoryFlags(1)
  const ends = [liftYoungGenerationLimit(), liftYoungGenerationLimit()]
  const lifted = cachedDataVersionTag()
  try {
    ends[0]?.()
    ends[0]?.()
    expect(cachedDataVersionTag()).toBe(lifted)
    ends[1]?.()
    expect(cachedDataVersionTag()).not.toBe(lifted)
    liftYoungGenerationLimit()()
    expect(cachedDataVersionTag()).not.toBe(lifted)
  } finally {
    for (const end of ends) end()
    restore()
  }
  expect(cachedDataVersionTag()).toBe(lifted)
}
