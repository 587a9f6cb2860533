import { describe, expect, it } from 'vitest'
import { localConfig } from '../../../src/cluster/local-config.ts'
import { resolveConfig } from '../../../src/config/resolve-config.ts'
import { SharedMemory } from '../../../src/crawl/worker-pool/shared-memory.ts'
import type { SeenName } from '../../../src/seen/seen-set.ts'

const URL = 'https://example.com/gone'

function open(seen: SeenName): SharedMemory {
  const config = resolveConfig({ seen, expectedUrls: 1_000, workers: 1 })
  return new SharedMemory(localConfig(config), [1, 2])
}

describe('a dropped URL', () => {
  it.each([
    ['bloom-counting', [URL]],
    ['exact', [URL]],
    ['sqlite', [URL]],
    ['hybrid', [URL]],
    ['digest', []],
  ] as const)('is removed from a seen set that supports it: %s', (seen, claimed) => {
    const memory = open(seen)
    expect(memory.addNew([URL])).toEqual([URL])
    expect(memory.keepUnseen([URL])).toEqual([])
    memory.forget([URL])
    expect(memory.addNew([URL])).toEqual(claimed)
    memory.close()
  })
})
