import { open } from 'node:fs/promises'

/**
 * Makes the names in a folder durable: after a power cut a synced file may have lost its name,
 * unless its folder was synced too. Never fails: Windows can't open a folder, and writes names at
 * once.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
