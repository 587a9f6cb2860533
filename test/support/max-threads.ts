import { fileURLToPath } from 'node:url'

/** Returns options of `runCrawl` for a process that can start this many threads; see refused-threads.ts. */
export function maxThreads(count: number) {
  const loaded = fileURLToPath(new URL('./refused-threads.ts', import.meta.url))
  return { nodeArgs: ['--import', loaded], env: { MAX_THREADS: `${count}` } }
}
