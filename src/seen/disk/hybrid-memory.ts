import { allocateBits, type BloomBits } from '../bloom/bloom.ts'
import { planFixed } from '../bloom/bloom-size.ts'
import { bytesOfSlice } from '../bloom/bloom-slice.ts'
import type { HashKey, SeenOptions, SeenPlan } from '../seen-set.ts'
import { allocateStripeLocks, lockBytes } from '../stripe-locks.ts'
import { allocateTallies, tallyBytes } from '../tallies.ts'
import { allocateUrlTable, planUrlTable, type UrlTableMemory } from './url-table-memory.ts'
import { allocateYoungUrls, type YoungUrlsMemory, youngBytes } from './young-urls.ts'

export interface HybridMemory extends BloomBits {
  readonly name: 'hybrid'
  readonly key: HashKey
  readonly young: YoungUrlsMemory
  readonly disk: UrlTableMemory
  readonly locks: SharedArrayBuffer
  readonly tallies: SharedArrayBuffer
}

export function allocateHybrid(options: SeenOptions, key: HashKey): HybridMemory {
  return {
    name: 'hybrid',
    key,
    ...allocateBits(options),
    young: allocateYoungUrls(),
    disk: allocateUrlTable(options),
    locks: allocateStripeLocks(),
    tallies: allocateTallies(),
  }
}

export function planHybrid(options: SeenOptions, urls: number): SeenPlan {
  const beside = youngBytes + lockBytes + tallyBytes
  const plan = planFixed(urls, options.falsePositiveRate, (size) => bytesOfSlice(size) + beside)
  return { ...planUrlTable(options, urls), ...plan, expectedLost: 0 }
}
