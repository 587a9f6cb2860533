import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { THRESHOLD } from './test/support/own-allocator.ts'
import SlowFirst from './test/support/slow-first.ts'

/** On two cores the four threads of V8's pool cost a crawl of few pages 7 % more CPU than one. */
const FEW_THREADS = '--v8-pool-size=1'

/**
 * Each crawl starts a thread. V8 would grow its young heap from 1 MB by collections, and compile its functions one by
 * one, while the compile cache keeps those that were compiled with their module: a fifth of what a small crawl costs.
 */
const FAST_START = ['--min-semi-space-size=16', '--no-lazy']

/** Where all processors are busy, threads that help to collect garbage save no time: they cost 4 % of the CPU time. */
const ONE_COLLECTOR = '--single-threaded-gc'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/fresh-build.ts', 'test/support/temporary-folder.ts'],
    setupFiles: ['test/support/compiled-modules.ts', 'test/support/own-allocator.ts'],
    // Ends what hangs, and nothing else: a busy machine may be ten times as slow as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Hundreds of processes and threads compile the same code. Some run in other directories.
    env: {
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
      NODE_OPTIONS: FEW_THREADS,
      // Starting a process copies the page tables of the one that starts it: 35 ms where that keeps 900 MB.
      [THRESHOLD]: '131072',
    },
    execArgv: [FEW_THREADS, ...FAST_START, ONE_COLLECTOR],
    // Tests start servers and worker threads of their own, and wait for much of their time: six files at once leave a
    // tenth of two cores idle. Each process more costs a twentieth of all CPU time: it loads, compiles and warms up what
    // the others have, too, and shares the caches of the processors with them.
    maxWorkers: 6,
    isolate: false,
    sequence: { sequencer: SlowFirst },
  },
})
