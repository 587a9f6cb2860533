import { open } from 'node:fs/promises'

/**
 * Makes the names in a folder durable: a power cut can lose the name of a synced file, unless its
 * folder was synced, too. Never rejects: Windows can't open a folder, and writes names at once.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
