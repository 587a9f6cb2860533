import { readFileSync } from 'node:fs'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'

/** Returns the files in a WACZ, after a check of their checksums. */
export async function filesIn(file: string): Promise<Map<string, Buffer>> {
  const reader = new ZipReader(new Uint8ArrayReader(readFileSync(file)), { useWebWorkers: false })
  const files = new Map<string, Buffer>()
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue
    const content = await entry.getData(new Uint8ArrayWriter(), { checkSignature: true })
    files.set(entry.filename, Buffer.from(content))
  }
  return files
}
