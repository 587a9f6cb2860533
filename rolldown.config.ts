import { defineConfig } from 'rolldown'

/**
 * A few files in place of two hundred: reading and linking modules is most of what starting costs, and
 * each fetch worker starts anew. Packages stay outside.
 */
export default defineConfig({
  input: {
    index: 'src/index.ts',
    cli: 'src/cli/main.ts',
    'worker/main': 'src/worker/main.ts',
  },
  platform: 'node',
  external: /^(?:node:|[^./])/,
  output: { dir: 'dist', chunkFileNames: '[name]-[hash].js' },
})
