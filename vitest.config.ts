import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/fresh-build.ts',
    // Ends what hangs, and nothing else: a busy machine may be ten times as slow as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Hundreds of processes compile the same code.
    env: { NODE_COMPILE_CACHE: 'node_modules/.cache/node' },
    // Tests start servers and worker threads of their own, and wait: three files at once fill two cores.
    maxWorkers: 3,
    isolate: false,
  },
})
