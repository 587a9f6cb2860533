import { join } from 'node:path'
import { SNAPSHOT_FILES, type SnapshotRef } from '../../state/ledger.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'

export function snapshotPath(directory: string, { file }: SnapshotRef): string {
  return join(directory, file)
}

/**
 * Writes the seen set to a file. The last snapshot is kept until a commit names the new one: two names alternate.
 * @param lastUrl id of the last URL that the seen set certainly contains
 */
export async function writeSeenSnapshot(
  memory: Pick<SharedMemory, 'writeSnapshot'>,
  directory: string,
  lastUrl: number,
  before: SnapshotRef | undefined,
): Promise<SnapshotRef> {
  const [first, second] = SNAPSHOT_FILES
  const file = before?.file === first ? second : first
  const checksum = await memory.writeSnapshot(join(directory, file))
  return { file, checksum, lastUrl }
}
