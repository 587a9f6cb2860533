import { fileURLToPath } from 'node:url'

/** Options of `runCrawl` for a process, with its threads, that looks names up in a file: see fake-names.ts. */
export function namesIn(file: string) {
  const loaded = fileURLToPath(new URL('./fake-names.ts', import.meta.url))
  return { nodeArgs: ['--import', loaded], env: { FAKE_NAMES: file } }
}
