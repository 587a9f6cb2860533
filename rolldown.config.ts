import { defineConfig } from 'rolldown'

/**
 * A few files in place of two hundred: reading and linking modules is most of what starting costs, and
 * each fetch worker starts anew. Packages stay outside.
 */
const program = defineConfig({
  input: {
    index: 'src/index.ts',
    cli: 'src/cli/main.ts',
    'worker/main': 'src/worker/main.ts',
  },
  platform: 'node',
  external: /^(?:node:|[^./])/,
  output: { dir: 'dist', chunkFileNames: '[name]-[hash].js' },
})

/** What runs in the page of a report: a script that stands in it, so one file without imports. */
const page = defineConfig({
  input: 'src/report/browser/main.ts',
  platform: 'browser',
  output: { file: 'dist/report-page.js', format: 'iife', minify: true },
})

export default [program, page]
