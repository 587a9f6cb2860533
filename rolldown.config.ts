import { readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { defineConfig, type Plugin, type PluginContext } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { BUNDLED } from './build/sbom.ts'

/** The folder of the package that a module belongs to. Paths of Windows have backslashes. */
const PACKAGE = /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+[\\/]/
/** Names of files with the license terms of a package. */
const TERMS = /^(?:licen[cs]e|copying)(?:\.\w+)?$/i

/**
 * Returns whether an import stays an import in the bundle. Packages of `BUNDLED` and their dependencies are bundled.
 * All others are loaded from the place where they are installed.
 */
function isExternal(id: string, importer?: string): boolean {
  if (id.startsWith('node:')) return !isUnusedHttp(id, importer)
  if (id.startsWith('.') || isAbsolute(id) || (importer !== undefined && PACKAGE.test(importer)))
    return false
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id
  return !BUNDLED.includes(name)
}

const MAIN = resolve('src/cli/main.ts')
const FETCH_WORKER = resolve('src/fetch-worker/main.ts')

/** Output options of all CommonJS files. */
const COMMON_JS = {
  ...{ dir: 'dist', format: 'cjs', comments: false },
  ...{ entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
} as const

/** The files that load the program. */
const start = defineConfig({
  input: { 'load-program': 'src/start/load-program.ts', thread: 'src/start/thread.ts' },
  platform: 'node',
  output: COMMON_JS,
})

/**
 * The program, in a few files instead of hundreds: most of the cost of a start is finding and linking files, and each
 * fetch worker pays it again. The format is CommonJS, since V8 returns the compiled functions only of such scripts.
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
    minifiedPackages(),
    narrowText(),
    terms(),
    { name: 'lua', generateBundle: emitScripts },
  ],
})

/** Returns the name of the file for a module that the main thread needs to start; null for other modules. */
function startFile(id: string, graph: ModuleGraph): string | null {
  inMain ??= reached(MAIN, graph)
  inWorker ??= reached(FETCH_WORKER, graph)
  if (!inMain.has(id)) return null
  return inWorker.has(id) ? 'both-threads' : 'main-thread'
}

type ModuleGraph = Pick<PluginContext, 'getModuleInfo'>

let inMain: ReadonlySet<string> | undefined
let inWorker: ReadonlySet<string> | undefined

/** Returns a module and all modules that it imports, directly or not. */
function reached(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const modules = new Set([entry])
  // The loop also reaches modules that are added during it.
  for (const id of modules) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) modules.add(imported)
  }
  return modules
}

/** Omits undici's code for HTTP/1, with its parsers in WebAssembly: undici gets only HTTP/2 connections. */
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
 * Delays unpacking the table of character references until the first text with one. Otherwise each fetch worker would
 * spend milliseconds on it when it starts.
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
 * Keeps undici from loading Node's HTTP module. Undici only checks streams for one of the module's classes, which our
 * requests never send, and reads the default of a limit that we set.
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
  return id === 'node:http' && /[\\/]undici[\\/]lib[\\/](?:core|dispatcher)[\\/]/.test(importer)
}

/** Modules that take milliseconds to load, and that many crawls don't need, or not at their start. */
const LATE_IMPORT = /^let ([\w$]+) = (require\("node:(?:crypto|zlib)"\));$/gm

/** Delays loading some modules of Node until something of them is needed. */
function lateBuiltins(): Plugin {
  return {
    name: 'late-builtins',
    renderChunk: (code) =>
      code.replace(LATE_IMPORT, 'const $1 = new Proxy({}, { get: (_, name) => $2[name] });'),
  }
}

/**
 * Checks the runtime before any code that older versions of Node can't run, as bin/crawl.js does for the command. Then
 * checks that the library is not part of a bundle, since it starts threads from files beside it.
 */
const CHECKS = `{
  const { node, bun, deno } = process.versions
  const [major, minor] = node.split('.').map(Number)
  if (bun || deno || major < 22 || major === 23 || (major === 22 && minor < 19)) {
    const found = (bun && \`Bun \${bun}\`) || (deno && \`Deno \${deno}\`) || node
    throw new Error(\`orbweaver: expected Node.js 22.19 or newer, except 23, got \${found}\`)
  }
  const folder = typeof __dirname === 'string' ? __dirname : 'the bundle'
  if (!process.getBuiltinModule('node:fs').existsSync(\`\${folder}/thread.cjs\`)) {
    const expected = \`expected its file thread.cjs in \${folder}, found none\`
    throw new Error(\`orbweaver: \${expected}: bundlers must leave this package out, as an external one\`)
  }
}
`

/** Adds an ECMAScript module as the entry of the library, since the bundle itself is CommonJS. */
function library(): Plugin {
  return {
    name: 'library',
    generateBundle(_, chunks) {
      const entry = chunks['index.cjs']
      if (entry?.type !== 'chunk') throw new Error('expected an entry named index')
      const source = `export { ${entry.exports.join(', ')} } from './index.cjs'\n`
      this.emitFile({ type: 'asset', fileName: 'index.js', source })
      const types = commonJsTypes(entry.exports)
      this.emitFile({ type: 'asset', fileName: 'index.d.cts', source: types })
      entry.code = CHECKS + entry.code
    },
  }
}

/**
 * Returns the declarations of the library for CommonJS. With `module: node16`, TypeScript would take those of the
 * ECMAScript module for a module that can't be required.
 */
function commonJsTypes(names: readonly string[]): string {
  const from = "from './index.js' with { 'resolution-mode': 'import' }"
  const values = names.map((name) => {
    const isClass = /^[A-Z]/.test(name)
    const type = isClass ? `export type ${name} = library.${name}\n` : ''
    return `export declare const ${name}: typeof library.${name}\n${type}`
  })
  return `import type * as library ${from}\nexport type * ${from}\n${values.join('')}`
}

/** Minifies chunks with nothing but packages, such as the client of Redis, which halves their size. */
function minifiedPackages(): Plugin {
  return {
    name: 'minified-packages',
    generateBundle(_, chunks) {
      for (const chunk of Object.values(chunks)) {
        if (chunk.type !== 'chunk' || !chunk.moduleIds.every((id) => PACKAGE.test(id))) continue
        // Messages may contain the names of classes.
        const mangle = { keepNames: { function: false, class: true } }
        chunk.code = minifySync(chunk.fileName, chunk.code, { mangle }).code
      }
    },
  }
}

/** A character that V8 stores in two bytes, and the backslashes before it. */
const WIDE = /(\\*)([\u0100-\uffff])/g

/**
 * Escapes characters beyond Latin-1. Just one of them makes V8 store the whole file with two bytes per character, in
 * each thread. For the largest file, that takes 0.7 MB.
 */
function narrowText(): Plugin {
  const escaped = (_: string, before: string, wide: string) => {
    // If the number of backslashes is odd, the last one escapes the character itself. It has no effect and is dropped.
    const others = before.slice(before.length % 2)
    return `${others}\\u${wide.charCodeAt(0).toString(16).padStart(4, '0')}`
  }
  return {
    name: 'narrow-text',
    // Not in `renderChunk`: chunks are printed again after that.
    generateBundle(_, chunks) {
      for (const chunk of Object.values(chunks)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replace(WIDE, escaped)
      }
    },
  }
}

/** Writes the license terms of the packages that a bundle contains to a file beside it. */
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

/** Returns the terms of a package that doesn't include their text. All such packages use the MIT license, as we do. */
function mitOf(holder: string): string {
  const [, permission] = readFileSync('LICENSE', 'utf8').split(/^(?=Permission)/m)
  return `Copyright (c) ${holder}\n\n${permission}`
}

/** Copies the scripts that Redis runs beside the bundle, which reads them as files. */
function emitScripts(this: PluginContext): void {
  for (const name of readdirSync('src/cluster/redis/scripts')) {
    const source = readFileSync(`src/cluster/redis/scripts/${name}`, 'utf8')
    this.emitFile({ type: 'asset', fileName: `scripts/${name}`, source })
  }
}

/** The script of a report's page. It is embedded in the page, so it is one file without imports. */
const page = defineConfig({
  input: 'src/inspect/report/browser/main.ts',
  platform: 'browser',
  output: {
    ...{ file: 'dist/report-page.js', format: 'iife', minify: true },
    // Each report contains a copy of the packages, so it must contain their license, too.
    postBanner: `/* With d3-force and what it needs. ${readFileSync('node_modules/d3-force/LICENSE', 'utf8')}*/`,
  },
})

export default [start, program, page]
