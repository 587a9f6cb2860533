import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** The files with tests that run only, or more often, in a soak test. */
const SOAKS = globSync('test/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes('support/soak.ts'),
)

export default defineConfig({
  ...config,
  test: { ...config.test, include: SOAKS, env: { ...config.test?.env, SOAK: '1' } },
})
