import type { HashKey } from '../../hashing/half-siphash.ts'
import { ADDED_COUNTER_BYTES } from '../added-counter.ts'
import { allocateBits, type BloomBits } from '../bloom/bloom.ts'
import { bloomSliceBytes } from '../bloom/bloom-bit-array.ts'
import { planFixedSize } from '../bloom/bloom-size.ts'
import { allocateLocking, type LockingMemory } from '../locking-seen-set.ts'
import type { SeenOptions, SeenPlan } from '../seen-set.ts'
import { STRIPE_LOCK_BYTES } from '../stripe-locks.ts'
import { allocateDiskTable, type DiskTableMemory, planDiskTable } from './disk-allocation.ts'
import { allocatePendingUrls, PENDING_BYTES, type PendingUrlsMemory } from './pending-urls.ts'

export interface HybridMemory extends BloomBits, LockingMemory {
  readonly name: 'hybrid'
  readonly pending: PendingUrlsMemory
  readonly disk: DiskTableMemory
}

export function allocateHybrid(options: SeenOptions, key: HashKey): HybridMemory {
  return {
    name: 'hybrid',
    ...allocateBits(options),
    pending: allocatePendingUrls(),
    disk: allocateDiskTable(options),
    ...allocateLocking(key),
  }
}

export function planHybrid(options: SeenOptions, urls: number): SeenPlan {
  const otherBytes = PENDING_BYTES + STRIPE_LOCK_BYTES + ADDED_COUNTER_BYTES
  const plan = planFixedSize(
    urls,
    options.falsePositiveRate,
    (size) => bloomSliceBytes(size) + otherBytes,
  )
  return { ...planDiskTable(options, urls), ...plan, expectedLost: 0 }
}
