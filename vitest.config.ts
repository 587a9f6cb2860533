import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Tests start servers and worker threads of their own: two files at once fill two cores.
    maxWorkers: 2,
  },
})
