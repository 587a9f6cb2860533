import { fileURLToPath } from 'node:url'

/** Returns options of `runCrawl` for a process that resolves names from a file; see fake-names.ts. */
export function namesIn(file: string) {
  const loaded = fileURLToPath(new URL('./fake-names.ts', import.meta.url))
  return { nodeArgs: ['--import', loaded], env: { FAKE_NAMES: file } }
}
