import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type PluginContext, type RenderedChunk } from 'rolldown'

/** Of nearly five hundred files, which took 0.2 s of CPU to load. */
const REDIS = '@redis/client'

/**
 * A few files in place of two hundred: reading and linking modules is most of what starting costs, and
 * each fetch worker starts anew. Packages stay outside, but for the one above.
 */
const program = defineConfig({
  input: {
    index: 'src/index.ts',
    cli: 'src/cli/main.ts',
    'worker/main': 'src/fetch-worker/main.ts',
    'render-worker/main': 'src/render-worker/main.ts',
  },
  platform: 'node',
  external: (id) => /^[^./]/.test(id) && id !== REDIS,
  output: {
    dir: 'dist',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    postBanner: licenceIn,
  },
  plugins: [{ name: 'lua', generateBundle: emitScripts }],
})

/** What a chunk holds of others is theirs. */
function licenceIn({ moduleIds }: RenderedChunk): string {
  if (!moduleIds.some((id) => id.includes(`/node_modules/${REDIS}/`))) return ''
  // The package comes without the text of its licence (MIT, as ours is).
  const [, permission] = readFileSync('LICENSE', 'utf8').split(/^(?=Permission)/m)
  return `/* With ${REDIS}: Copyright (c) 2022-2025, Redis, inc.\n\n${permission}*/`
}

/** The scripts that Redis runs are read as files, from beside what reads them. */
function emitScripts(this: PluginContext): void {
  for (const name of readdirSync('src/cluster/redis/scripts')) {
    const source = readFileSync(`src/cluster/redis/scripts/${name}`, 'utf8')
    this.emitFile({ type: 'asset', fileName: `scripts/${name}`, source })
  }
}

/** What runs in the page of a report: a script that stands in it, so one file without imports. */
const page = defineConfig({
  input: 'src/inspect/report/browser/main.ts',
  platform: 'browser',
  output: {
    ...{ file: 'dist/report-page.js', format: 'iife', minify: true },
    // A report is a copy of what it holds, so the licence goes with it.
    postBanner: `/* With d3-force and what it needs. ${readFileSync('node_modules/d3-force/LICENSE', 'utf8')}*/`,
  },
})

export default [program, page]
