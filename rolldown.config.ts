import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig, type Plugin, type PluginContext } from 'rolldown'
import { BUNDLED } from './build/sbom.ts'

/** The package that a module belongs to. */
const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//
/** Files with the terms of a package. */
const TERMS = /^(?:licen[cs]e|copying)(?:\.\w+)?$/i

/**
 * Returns whether an import stays one: all packages but those of `BUNDLED`, and what they need, are loaded from
 * where they are installed.
 */
function isExternal(id: string, importer?: string): boolean {
  if (id.startsWith('node:')) return !isUnusedHttp(id, importer)
  if (/^[./]/.test(id) || (importer !== undefined && PACKAGE.test(importer))) return false
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id
  return !BUNDLED.includes(name)
}

const MAIN = resolve('src/cli/main.ts')
const FETCH_WORKER = resolve('src/fetch-worker/main.ts')

/** What all files of CommonJS have in common. */
const COMMON_JS = {
  ...{ dir: 'dist', format: 'cjs', comments: false },
  ...{ entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
} as const

/** What loads the program. */
const start = defineConfig({
  input: { 'load-program': 'src/start/load-program.ts', thread: 'src/start/thread.ts' },
  platform: 'node',
  output: COMMON_JS,
})

/**
 * Few files in place of hundreds: finding and linking them is most of what starting costs, and each fetch worker
 * starts anew. Of CommonJS, since V8 gives the compiled functions only of such scripts.
 */
const program = defineConfig({
  input: {
    index: 'src/index.ts',
    cli: 'src/cli/main.ts',
    'fetch-worker': 'src/fetch-worker/main.ts',
    'render-worker': 'src/render-worker/main.ts',
  },
  platform: 'node',
  external: isExternal,
  output: {
    ...COMMON_JS,
    codeSplitting: { groups: [{ name: startFile, debugName: 'start' }] },
  },
  plugins: [
    withoutHttp1(),
    lateEntities(),
    withoutHttp(),
    lateBuiltins(),
    library(),
    narrowText(),
    terms(),
    { name: 'lua', generateBundle: emitScripts },
  ],
})

/** Returns the file for a module that the main thread needs to start; null for others, which need no rule. */
function startFile(id: string, graph: ModuleGraph): string | null {
  inMain ??= reached(MAIN, graph)
  inWorker ??= reached(FETCH_WORKER, graph)
  if (!inMain.has(id)) return null
  return inWorker.has(id) ? 'both-threads' : 'main-thread'
}

type ModuleGraph = Pick<PluginContext, 'getModuleInfo'>

let inMain: ReadonlySet<string> | undefined
let inWorker: ReadonlySet<string> | undefined

/** Returns a module and all that it imports, directly or not. */
function reached(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const modules = new Set([entry])
  // What is added meanwhile comes last.
  for (const id of modules) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) modules.add(imported)
  }
  return modules
}

/** Leaves undici's part for HTTP/1 out, with its parsers in WebAssembly: it gets connections of HTTP/2 alone. */
function withoutHttp1(): Plugin {
  const absent = '\0without-http1'
  return {
    name: 'without-http1',
    resolveId: (id) => (id.endsWith('/client-h1.js') ? absent : undefined),
    load: (id) =>
      id === absent
        ? "module.exports = () => { throw new Error('expected a connection of HTTP/2') }"
        : undefined,
  }
}

/**
 * Has the table of character references unpacked at the first text that has one: each fetch worker would spend
 * milliseconds on it when it starts.
 */
function lateEntities(): Plugin {
  const late = '\0late-entities'
  return {
    name: 'late-entities',
    resolveId: (id, importer) =>
      id === 'entities/decode' && importer !== late && !PACKAGE.test(importer ?? '')
        ? late
        : undefined,
    load: (id) =>
      id === late
        ? `let decoders
          const load = () => (decoders ??= require('entities/decode'))
          export const decodeHTML = (text) => load().decodeHTML(text)
          export const decodeHTMLAttribute = (text) => load().decodeHTMLAttribute(text)`
        : undefined,
  }
}

/**
 * Keeps undici from loading Node's HTTP. It compares streams with one of its classes, which no request of ours sends,
 * and takes from it the default of a limit that we set.
 */
function withoutHttp(): Plugin {
  const absent = '\0without-http'
  return {
    name: 'without-http',
    resolveId: (id, importer) => (isUnusedHttp(id, importer) ? absent : undefined),
    load: (id) => (id === absent ? 'module.exports = { maxHeaderSize: 16384 }' : undefined),
  }
}

function isUnusedHttp(id: string, importer = ''): boolean {
  return id === 'node:http' && /\/undici\/lib\/(?:core|dispatcher)\//.test(importer)
}

/** Modules that take milliseconds to load, and that many crawls don't need, or not at their start. */
const LATE_IMPORT = /^let ([\w$]+) = (require\("node:(?:crypto|zlib)"\));$/gm

/** Has modules of Node loaded when something of them is needed. */
function lateBuiltins(): Plugin {
  return {
    name: 'late-builtins',
    renderChunk: (code) =>
      code.replace(LATE_IMPORT, 'const $1 = new Proxy({}, { get: (_, name) => $2[name] });'),
  }
}

/** Has the library imported as what it is in the sources: a module of ECMAScript. */
function library(): Plugin {
  return {
    name: 'library',
    generateBundle(_, chunks) {
      const entry = chunks['index.cjs']
      if (entry?.type !== 'chunk') throw new Error('expected an entry named index')
      const source = `export { ${entry.exports.join(', ')} } from './index.cjs'\n`
      this.emitFile({ type: 'asset', fileName: 'index.js', source })
    },
  }
}

/** A character that V8 keeps in two bytes, and backslashes before it. */
const WIDE = /(\\*)([\u0100-\uffff])/g

/**
 * Escapes characters beyond Latin-1. One of them has V8 keep all of a file in two bytes for each character, in each
 * thread: 0.7 MB of the largest file.
 */
function narrowText(): Plugin {
  const escaped = (_: string, before: string, wide: string) => {
    // Of an odd number of backslashes, the last one escapes the character itself, which then means the same.
    const others = before.slice(before.length % 2)
    return `${others}\\u${wide.charCodeAt(0).toString(16).padStart(4, '0')}`
  }
  return {
    name: 'narrow-text',
    // Chunks are printed once more after they were rendered.
    generateBundle(_, chunks) {
      for (const chunk of Object.values(chunks)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replace(WIDE, escaped)
      }
    },
  }
}

/** Puts the terms of the packages that a bundle contains beside it. */
function terms(): Plugin {
  return {
    name: 'terms',
    generateBundle(_, chunks) {
      const modules = Object.values(chunks).flatMap((chunk) =>
        chunk.type === 'chunk' ? chunk.moduleIds : [],
      )
      const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []))
      const source = [...folders]
        .sort()
        .map(termsOf)
        .join(`\n${'-'.repeat(80)}\n\n`)
      if (source !== '') this.emitFile({ type: 'asset', fileName: 'licenses.txt', source })
    },
  }
}

function termsOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const file = readdirSync(folder).find((entry) => TERMS.test(entry))
  const holder = typeof author === 'string' ? author : (author?.name ?? 'its authors')
  const text = file === undefined ? mitOf(holder) : readFileSync(join(folder, file), 'utf8')
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}

/** The terms of a package that comes without their text; all such are under the MIT license, as we are. */
function mitOf(holder: string): string {
  const [, permission] = readFileSync('LICENSE', 'utf8').split(/^(?=Permission)/m)
  return `Copyright (c) ${holder}\n\n${permission}`
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
    // A report is a copy of what it holds, so the license goes with it.
    postBanner: `/* With d3-force and what it needs. ${readFileSync('node_modules/d3-force/LICENSE', 'utf8')}*/`,
  },
})

export default [start, program, page]
