import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { THRESHOLD } from './test/support/own-allocator.ts'
import SlowFirst from './test/support/slow-first.ts'

/** On two cores, the four threads of V8's pool cost a small crawl 7 % more CPU time than one thread. */
const FEW_THREADS = '--v8-pool-size=1'

/**
 * Each crawl starts a thread. By default, V8 grows its young generation from 1 MB by collections. It also compiles
 * functions one by one, while the compile cache keeps only those that were compiled with their module. These flags
 * avoid both, which saves a fifth of the cost of a small crawl.
 */
const FAST_START = ['--min-semi-space-size=16', '--no-lazy']

/** While all processors are busy, threads that help to collect garbage save no time, but cost 4 % more CPU time. */
const ONE_COLLECTOR = '--single-threaded-gc'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/fresh-build.ts', 'test/support/temporary-folder.ts'],
    setupFiles: ['test/support/compiled-modules.ts', 'test/support/own-allocator.ts'],
    // Ends only tests that hang: a busy machine may be ten times as slow as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Hundreds of processes and threads compile the same code. Some run in other directories.
    env: {
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
      NODE_OPTIONS: FEW_THREADS,
      // Starting a process copies the page tables of its parent, which takes 35 ms if the parent has 900 MB.
      [THRESHOLD]: '131072',
    },
    execArgv: [FEW_THREADS, ...FAST_START, ONE_COLLECTOR],
    // Tests start servers and worker threads of their own, and often wait: seven files at once leave a tenth of two
    // cores idle. Each further process costs a twentieth of all CPU time: it loads, compiles and warms up the same code
    // again, and shares the caches of the processors with the others.
    maxWorkers: 7,
    isolate: false,
    sequence: { sequencer: SlowFirst },
  },
})
