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

it("V8 has its own flags again after the last crawl with more threads than cores, as a program's other code needs", () => {
  const before = [cachedDataVersionTag(), process.listenerCount('exit')]
  const crawls = [applyMemoryFlags(256), applyMemoryFlags(256)]
  crawls[0]?.restore()
  expect(cachedDataVersionTag()).not.toBe(before[0])
  crawls[1]?.restore()
  expect([cachedDataVersionTag(), process.listenerCount('exit')]).toEqual(before)
})
