import { join } from 'node:path'
import type { SnapshotRef } from '../../state/ledger.ts'
import type { SharedMemory } from '../threads/shared-memory.ts'

/**
 * Writes the seen set beside the snapshot of before, which stays until a commit speaks of the new one:
 * two names take turns.
 * @param lastUrl id of the last URL that it is sure to hold
 */
export async function writeSnapshot(
  memory: SharedMemory,
  directory: string,
  lastUrl: number,
  before: SnapshotRef | undefined,
): Promise<SnapshotRef> {
  const file = before?.file === 'seen-0.snapshot' ? 'seen-1.snapshot' : 'seen-0.snapshot'
  const checksum = await memory.write(join(directory, file))
  return { file, checksum, lastUrl }
}
