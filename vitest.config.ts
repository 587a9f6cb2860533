import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/fresh-build.ts',
    // Ends what hangs, and nothing else: a busy machine may be ten times as slow as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Hundreds of processes and threads compile the same code. Some run in other directories.
    env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/node') },
    // Tests start servers and worker threads of their own, and wait: four files at once fill two cores.
    maxWorkers: 4,
    isolate: false,
  },
})
