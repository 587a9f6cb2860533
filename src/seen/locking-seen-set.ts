import type { HashKey } from '../hashing/half-siphash.ts'
import { AddedCounter, allocateAddedCounter } from './added-counter.ts'
import { allocateStripeLocks, StripeLocks } from './stripe-locks.ts'

/** Memory that every seen set has in addition to its URLs. */
export interface LockingMemory {
  readonly key: HashKey
  readonly locks: SharedArrayBuffer
  /** Memory of an `AddedCounter`, under this name in snapshots. */
  readonly tallies: SharedArrayBuffer
}

export function allocateLocking(key: HashKey): LockingMemory {
  return { key, locks: allocateStripeLocks(), tallies: allocateAddedCounter() }
}

/** The locks of a seen set, and the counter of its URLs. */
export abstract class LockingSeenSet {
  protected readonly locks: StripeLocks
  protected readonly counter: AddedCounter
  /** Bytes of the locks and the counter. */
  protected readonly lockingBytes: number

  /** @param rateOf returns the current false-positive rate from the number of added URLs */
  constructor(
    { locks, tallies }: LockingMemory,
    owner: number,
    rateOf: (added: number) => number = () => 0,
  ) {
    this.locks = new StripeLocks(locks, owner)
    this.counter = new AddedCounter(tallies, rateOf)
    this.lockingBytes = locks.byteLength + tallies.byteLength
  }

  release(owner: number): void {
    this.locks.release(owner)
  }
}
