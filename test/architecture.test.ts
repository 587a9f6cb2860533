import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  cyclic,
  foldersOf,
  type Import,
  importsIn,
  importsOf,
  type Sources,
  STATEMENT,
} from './support/imports.ts'

const repository = new URL('../', import.meta.url)
/** Rooms and single files of `src`, lowest first. Each may import only itself and those before it. */
const ROOMS = roomsIn(readFileSync(new URL('docs/architecture.md', repository), 'utf8'))
/** Rooms of the main thread, which a fetch worker doesn't load. */
const MAIN_THREAD = new Set(
  'state output frontier formats crawl cluster inspect index cli'.split(' '),
)
/** A package is imported in one file only. The exceptions may be imported in these files and folders. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  commander: ['cli/'], // builds the program, and throws the error that ends it
  htmlparser2: ['html/token-reader.ts', 'fetch-worker/parse/sitemap/'], // tokens of HTML, XML
  mime: ['saved-files/file-name.ts', 'fetch/folder/folder-fetcher.ts'], // extensions, types
  'p-queue': ['fetch-worker/', 'crawl/dns/'], // bounds requests and look-ups of addresses
  undici: ['fetch/http/http2/'], // the client, and the handler that it calls
  valibot: ['config/', 'database/'], // fields, the schema, the problems that it reports
}
/** Folders whose parts still import each other in circles. Don't add any. */
const TIED: string[] = []
const MAX_LINES = 300
/** AssemblyScript is another language: its types are separate from those of TypeScript. */
const ASSEMBLY = 'html/wasm-scanner/assemblyscript/'
const TYPE_DECLARATION =
  /^\s*(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:const )?(?:interface|type|class|enum) (\w+)(?=\s*[<{=]| extends | implements )/gm
/** A path of a TypeScript file in a folder, or of a folder: `seen/bloom/`. */
const NAMED_PATH = /`((?:[a-z][\w-]*\/)+(?:[\w.-]+\.ts)?)`/g
/** Folders in examples: of users, of sites and of a build. */
const EXAMPLE_PATHS: ReadonlySet<string> = new Set(['a/', 'a/b/', 'site/', 'dist/'])
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/ .*$/gm
const DRAWERS = /^(?:utils?|helpers?|common|types?|constants?|manager|service)$/

/** Returns the rooms in the page's table, in order. */
function roomsIn(page: string): string[] {
  const [, table = ''] = /^\| room \|.*\n\|---.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '')
  return cells.flatMap((cell) =>
    [...cell.matchAll(/`([\w-]+)(?:\/|\.ts)`/g)].map(([, name = '']) => name),
  )
}

function roomOf(path: string): string {
  return path.split('/')[0]?.replace(/\.ts$/, '') ?? ''
}

function forbidden({ from, target, isFile }: Import): boolean {
  if (!isFile) return false
  const [room, other] = [roomOf(from), roomOf(target)]
  if (room === other) return false
  // A worker thread is started by the URL of its entry file.
  if (other === 'fetch-worker' || other === 'render-worker') return true
  return !ROOMS.includes(room) || !ROOMS.slice(0, ROOMS.indexOf(room)).includes(other)
}

/** Returns the files that a file loads, itself included. */
function loadedBy(entry: string, imports: readonly Import[]): string[] {
  const next = Map.groupBy(
    imports.filter(({ isFile, typeOnly }) => isFile && !typeOnly),
    ({ from }) => from,
  )
  const loaded = new Set([entry])
  for (const file of loaded) for (const { target } of next.get(file) ?? []) loaded.add(target)
  return [...loaded]
}

function scattered(imports: readonly Import[]): string[] {
  const packages = Map.groupBy(
    imports.filter(({ isFile }) => !isFile),
    ({ target }) => target,
  )
  const isScattered = (name: string, users: readonly Import[]) =>
    PLACES[name] === undefined
      ? new Set(users.map(({ from }) => from)).size > 1
      : users.some(({ from }) => !PLACES[name]?.some((place) => from.startsWith(place)))
  return [...packages].filter(([name, users]) => isScattered(name, users)).map(([name]) => name)
}

function drawers(sources: Sources): string[] {
  return [...sources.keys()].filter((path) =>
    path.split('/').some((part) => DRAWERS.test(basename(part, '.ts'))),
  )
}

function tooLong(sources: Sources): string[] {
  return [...sources].filter(([, text]) => text.split('\n').length - 1 > MAX_LINES).map(([p]) => p)
}

/** Returns, for each type, the files that declare it, exported or not. */
function typesIn(sources: Sources): Map<string, Set<string>> {
  const declared = new Map<string, Set<string>>()
  for (const [path, text] of sources) {
    for (const [, name = ''] of text.matchAll(TYPE_DECLARATION)) {
      declared.set(name, (declared.get(name) ?? new Set()).add(path))
    }
  }
  return declared
}

function typesDeclaredTwice(sources: Sources): string[] {
  const others = [...sources].filter(([path]) => !path.startsWith(ASSEMBLY))
  const declared = [...typesIn(new Map(others))]
  return declared.filter(([, files]) => files.size > 1).map(([name]) => name)
}

/** Returns the paths in backticks that match no file or folder. A path may omit folders at its start. */
function missingPaths(text: string, files: readonly string[]): string[] {
  const known = files.map((file) => `/${file}`)
  const isKnown = (path: string) =>
    known.some((file) =>
      path.endsWith('/') ? file.includes(`/${path}`) : file.endsWith(`/${path}`),
    )
  const paths = [...text.matchAll(NAMED_PATH)].map(([, path = '']) => path)
  return paths.filter((path) => !EXAMPLE_PATHS.has(path) && !isKnown(path))
}

function commentsIn(text: string): string {
  return (text.match(COMMENT) ?? []).join('\n')
}

const shown = ({ from, target }: Import) => `${from} -> ${target}`

const root = fileURLToPath(new URL('../src/', import.meta.url))
const house: Sources = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/[/\\]generated[/\\]/.test(path))
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(root + path, 'utf8')]),
)

const files = ['src', 'test', 'bench', 'build', 'fixtures', 'docs']
  .flatMap((folder) =>
    readdirSync(new URL(folder, repository), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  )
  .filter((path) => !path.includes('/node_modules/'))
/** All TypeScript files, by their path in the repository. */
const scripts: Sources = new Map(
  files
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(new URL(path, repository), 'utf8')]),
)
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...files.filter((path) => /^docs\/.*\.md$/.test(path)),
]

describe('the source code', () => {
  const imports = importsOf(house)

  it('imports only from its own room and rooms before it', () => {
    expect(imports.filter(forbidden).map(shown)).toEqual([])
  })

  it('has the rooms of the table in docs/architecture.md, and no others', () => {
    expect(ROOMS.toSorted()).toEqual([...new Set([...house.keys()].map(roomOf))].sort())
  })

  it('has no cycle of folders, at any level', () => {
    const tied = foldersOf(house).filter((folder) => cyclic(importsIn(folder, imports)).length > 0)
    expect(tied).toEqual(TIED)
  })

  it('loads nothing of the main thread in a fetch worker', () => {
    const loaded = loadedBy('fetch-worker/main.ts', imports)
    expect(loaded.filter((path) => MAIN_THREAD.has(roomOf(path)))).toEqual([])
    expect(loaded.length).toBeGreaterThan(50)
  })

  it('has no import statement that this test overlooks', () => {
    const lines = [...house.values()].flatMap((text) => text.match(/ from '.+'$/gm) ?? [])
    const read = [...house.values()].flatMap((text) => text.match(STATEMENT) ?? [])
    expect(read.length).toBeGreaterThanOrEqual(lines.length)
  })

  it('has no import cycle, and neither have the tests and scripts', () => {
    expect(scripts.size).toBeGreaterThan(1_000)
    expect(cyclic(importsOf(scripts))).toEqual([])
  })

  it('imports each package in one file only, or where this test allows it', () => {
    expect(scattered(imports)).toEqual([])
    const used = new Set(imports.map(({ target }) => target))
    expect(Object.keys(PLACES).filter((name) => !used.has(name))).toEqual([])
  })

  it('refers to implementations of Fetcher only where they are opened', () => {
    const users = imports.filter(({ from, target }) => {
      const [folder] = /^fetch\/(?!addresses\/)\w+\//.exec(target) ?? []
      return folder !== undefined && !from.startsWith(folder)
    })
    expect(new Set(users.map(({ from }) => from))).toEqual(new Set(['fetch/open-fetcher.ts']))
  })

  it('numbers no SQL parameter, which Node 22 would take for a named one', () => {
    const numbered = [...house].filter(([, text]) => /[\s(,=]\?\d/.test(text))
    expect(numbered.map(([path]) => path)).toEqual([])
  })

  it('declares no type in two files', () => {
    expect(typesDeclaredTwice(house)).toEqual([])
    expect(typesIn(house).size).toBeGreaterThan(500)
  })

  it.each(PAGES)('has the files and folders that %s mentions', (page) => {
    expect(missingPaths(readFileSync(new URL(page, repository), 'utf8'), files)).toEqual([])
  })

  it('has the files and folders that its comments mention', () => {
    const comments = [...house].map(([path, text]) => [path, commentsIn(text)] as const)
    const missing = comments.flatMap(([path, text]) =>
      missingPaths(text, files).map((name) => `${path}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('has no file over 300 lines, and no catch-all file or folder such as utils', () => {
    expect([tooLong(house), drawers(house)]).toEqual([[], []])
  })
})

describe('the architecture check', () => {
  const check = (files: Record<string, string>) => importsOf(new Map(Object.entries(files)))

  it.each([
    ['a later room', 'url/a.ts', `import { b } from '../html/b.ts'`],
    ['a later room, for its types', 'url/a.ts', `import type { B } from '../html/b.ts'`],
    ['the code of workers', 'crawl/a.ts', `import '../fetch-worker/main.ts'`],
    ['anything from an unknown room', 'attic/a.ts', `import {\n  b,\n  c,\n} from '../errors.ts'`],
    [
      'the entry, from a room',
      'crawl/a.ts',
      `export type { A }\n\nimport { b } from '../index.ts'`,
    ],
  ])('finds an import of %s', (_, path, text) => {
    expect(check({ [path]: text }).map(forbidden)).toEqual([true])
  })

  it('reads the rooms of a table in order', () => {
    const page = '| file | holds |\n|---|---|\n| `x/` | |\n\n| room | holds |\n|---|---|\n'
    const rows = '| `b.ts`, `a-c/` | `d/` |\n| `e/` | |\n\n| `f/` | |\n'
    expect(roomsIn(page + rows)).toEqual(['b', 'a-c', 'e'])
  })

  it.each([
    ['an earlier room', 'html/a.ts', `import type { B } from '../url/b.ts'`],
    ['its own room', 'html/a.ts', `import { b } from './b.ts'`],
  ])('allows an import of %s', (_, path, text) => {
    expect(check({ [path]: text }).map(forbidden)).toEqual([false])
  })

  it('finds an import cycle, also one of types', () => {
    const imports = check({
      'url/a.ts': `import { b } from './b.ts'`,
      'url/b.ts': `import type { C } from './c.ts'`,
      'url/c.ts': `import { a } from './a.ts'`,
      'url/d.ts': `import { a } from './a.ts'`,
    })
    expect(cyclic(imports)).toEqual(['url/a.ts', 'url/b.ts', 'url/c.ts'])
  })

  it('finds a cycle of folders, at the level of those folders', () => {
    const files = {
      'html/one/a.ts': `import { b } from '../two/b.ts'`,
      'html/two/b.ts': `import { a } from '../../url/a.ts'`,
      'html/two/c.ts': `import type { C } from '../one/d.ts'`,
    }
    const tied = (folder: string) => cyclic(importsIn(folder, check(files)))
    expect([tied(''), tied('html'), tied('html/one')]).toEqual([[], ['one', 'two'], []])
    expect(foldersOf(new Map(Object.entries(files)))).toEqual(['', 'html/one', 'html', 'html/two'])
  })

  it('follows imports of values, not of types, to find what a file loads', () => {
    const imports = check({
      'html/a.ts': `import { b } from './b.ts'`,
      'html/b.ts': `import { c } from '../url/c.ts'\nimport type { D } from '../url/d.ts'`,
    })
    expect(loadedBy('html/a.ts', imports)).toEqual(['html/a.ts', 'html/b.ts', 'url/c.ts'])
  })

  it('finds a package that is imported in two places, in any syntax', () => {
    const imports = check({
      'url/a.ts': `const a = createRequire(import.meta.url)('@scope/one/part.js')`,
      'seen/b.ts': `import { one } from '@scope/one'`,
      'seen/c.ts': `type C = typeof import('two')\nimport 'two/more'`,
      'seen/d.ts': `import { Agent } from 'undici'`,
    })
    expect(scattered(imports)).toEqual(['@scope/one', 'undici'])
  })

  it('finds a type declared in two files, exported or not, except in AssemblyScript', () => {
    const files = new Map([
      ['url/a.ts', 'export interface Link {\n}\ntype Page = string'],
      ['html/b.ts', '  class Link extends Node {}\ninterface Pages {}'],
      ['html/c.ts', 'export type { Page } from "./a.ts"\nimport { type Page } from "./a.ts"'],
      ['html/wasm-scanner/assemblyscript/d.ts', 'class Page {}'],
    ])
    expect(typesDeclaredTwice(files)).toEqual(['Link'])
  })

  it("finds a path in backticks that doesn't exist", () => {
    const files = ['src/url/a.ts', 'src/html/reference-scanner/b.ts', 'test/url/a.test.ts']
    const good =
      '`url/a.ts` `src/url/` `reference-scanner/b.ts` `reference-scanner/` `test/url/a.test.ts` `a.ts` `a/b.html`'
    expect(missingPaths(good, files)).toEqual([])
    expect(missingPaths('`html/a.ts` `src/parser/`, `worker/`', files)).toEqual([
      ...['html/a.ts', 'src/parser/', 'worker/'],
    ])
  })

  it('finds long files and catch-all names', () => {
    const files = new Map([
      ['url/types.ts', ''],
      ['utils/a.ts', '\n'.repeat(301)],
      ['url/user-agent-types.ts', '\n'.repeat(300)],
    ])
    expect(drawers(files)).toEqual(['url/types.ts', 'utils/a.ts'])
    expect(tooLong(files)).toEqual(['utils/a.ts'])
  })
})
