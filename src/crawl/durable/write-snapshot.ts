import { join } from 'node:path'
import type { SnapshotRef } from '../../state/ledger.ts'
import type { SharedMemory } from '../threads/shared-memory.ts'

const FILES = ['seen-0.snapshot', 'seen-1.snapshot'] as const

/** Returns the path of a snapshot in a directory, which may be a stranger's and name any other file. */
export function pathOf(directory: string, { file }: SnapshotRef): string {
  return join(directory, FILES.find((name) => name === file) ?? FILES[0])
}

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
  const file = before?.file === FILES[0] ? FILES[1] : FILES[0]
  const checksum = await memory.write(join(directory, file))
  return { file, checksum, lastUrl }
}
