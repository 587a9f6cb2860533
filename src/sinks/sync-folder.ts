import { open } from 'node:fs/promises'

/**
 * Keeps the names in a folder: after a power cut a file that was synced may be there without its name, unless
 * its folder was, too. Never fails: Windows can't open a folder, and writes names at once.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
