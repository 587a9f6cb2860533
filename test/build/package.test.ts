import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BUNDLED, readSbom } from '../../build/sbom.ts'
import { importsOf } from '../support/imports.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json'))

interface Packed {
  readonly files: readonly { readonly path: string }[]
  readonly size: number
  readonly unpackedSize: number
}

/** Returns the files that npm would publish, and the size of the package. */
function pack(): Packed {
  const args = ['pack', '--dry-run', '--ignore-scripts', '--json']
  const packed = JSON.parse(
    execFileSync('npm', args, {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  // npm 11 prints an object by name; older ones print a list.
  return (
    Object.values<ReturnType<typeof pack>>(packed)[0] ?? { files: [], size: 0, unpackedSize: 0 }
  )
}

const { files, size, unpackedSize } = pack()
const shipped = new Set(files.map(({ path }) => path))

const COMMANDS = 'check completion diff help job plan report seen state'.split(' ')
const MANUALS = ['crawl', ...COMMANDS.map((name) => `crawl-${name}`)]

const COMMON_JS_PROGRAM = `import { CrawlerError, crawl, type Visit } from 'orbweaver'
export const first = async (): Promise<Visit | undefined> => {
  try {
    for await (const visit of crawl({ seeds: ['https://example.com/'] })) return visit
  } catch (error) {
    if (error instanceof CrawlerError) console.error(error.kind)
  }
  return undefined
}
`

describe('the npm package', () => {
  it('contains its commands, man pages and entry points', () => {
    const { bin, man, exports } = manifest
    const { require: required, ...imported } = exports['.']
    const entries = [manifest.main, manifest.types, ...Object.values(required)]
    const named = [...Object.values<string>(bin), ...man, ...Object.values(imported), ...entries]
    for (const path of [...named, 'dist/cli.cjs', 'dist/fetch-worker.cjs', 'dist/report-page.js']) {
      expect(shipped, path).toContain(posix.normalize(path))
    }
    expect(Object.keys(bin)).toEqual(['crawl', 'orbweaver'])
    expect(new Set(Object.values(bin))).toEqual(new Set(['bin/crawl.js']))
  })

  it('contains no program with a character that makes V8 store it in two bytes each', () => {
    const programs = [...shipped].filter((path) => /^dist\/.*\.c?js$/.test(path))
    expect(programs.length).toBeGreaterThan(10)
    const wide = programs.filter((path) => /[\u0100-\uffff]/.test(read(path)))
    // report-page.js is the script of a page.
    expect(wide.filter((path) => path !== 'dist/report-page.js')).toEqual([])
  })

  it('contains the program, its types, its schema and its docs, and nothing else', () => {
    const paths = files.map(({ path }) => path)
    const pages = /^docs\/(?:examples\/[\w.-]+|[\w.-]+\.json|(?:[\w-]+\/)?[\w-]+\.(?:md|png|svg))$/
    const own = paths.filter((path) => !path.startsWith('dist/') && !pages.test(path))
    expect(own.sort()).toEqual(
      [
        ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'bench/README.md'],
        'bench/comparison.svg',
        ...['bin/crawl.js', 'bin/package.json', 'package.json'],
        ...MANUALS.map((name) => `docs/man/${name}.1`),
      ].sort(),
    )
    const built = paths.filter((path) => path.startsWith('dist/'))
    expect(built).toEqual(
      expect.arrayContaining([
        ...['dist/cli.cjs', 'dist/index.js', 'dist/index.d.ts', 'dist/report-page.js'],
        ...['dist/load-program.cjs', 'dist/fetch-worker.cjs', 'dist/render-worker.cjs'],
      ]),
    )
    // File names of chunks end with their hash.
    const chunk =
      /^dist\/(?:(?:index|report-page)\.js|(?:cli|index|load-program|thread|[\w-]+-[\w-]{6,8})\.cjs)$/
    const script = /^dist\/scripts\/[\w-]+\.lua$/
    expect(built.filter((path) => script.test(path)).length).toBeGreaterThan(5)
    const others = built.filter(
      (path) => !/\.d\.c?ts$/.test(path) && !chunk.test(path) && !script.test(path),
    )
    expect(others).toEqual(['dist/licenses.txt'])
    expect(
      built.filter((path) => /^dist\/(?:cli|worker|render-worker)\/.+\.d\.ts$/.test(path)),
    ).toEqual([])
    // Users needn't install the packages that are bundled.
    expect(unpackedSize).toBeLessThan(4_200_000)
  })

  it('is smaller than 1 MB', () => {
    expect(size).toBeLessThan(1_000_000)
  })

  it('contains every page and picture that its pages link to', () => {
    const pages = [...shipped].filter((path) => path.endsWith('.md'))
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => ({ page, link })),
    )
    const relative = links.filter(({ link }) => !/^https?:/.test(link))
    expect(relative.length).toBeGreaterThan(100)
    const isMissing = ({ page, link }: { page: string; link: string }) =>
      !shipped.has(posix.join(posix.dirname(page), link))
    expect(relative.filter(isMissing)).toEqual([])
  })

  it('has types that import only files of the package and installed packages', () => {
    const types = [...shipped].filter((path) => path.endsWith('.d.ts'))
    const imports = types.flatMap((path) =>
      [...read(path).matchAll(/\b(?:from |import\()['"]([^'"]+)/g)].map(([, name = '']) =>
        name.startsWith('.') ? posix.join(posix.dirname(path), name) : name,
      ),
    )
    const isThere = (name: string) =>
      name in manifest.dependencies || shipped.has(name.replace(/\.ts$/, '.d.ts'))
    expect(imports.length).toBeGreaterThan(10)
    expect(imports.filter((name) => !isThere(name))).toEqual([])
  })

  it('has types for CommonJS', () => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-types-'))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/orbweaver'), 'junction')
    writeFileSync(join(folder, 'main.cts'), COMMON_JS_PROGRAM)
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    // Stricter than `nodenext`, with which CommonJS may also require ES modules.
    const flags = ['--noEmit', '--strict', '--module', 'node16', ...types]
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), ...flags, 'main.cts']
    const checked = spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' })
    expect(checked.stdout).toBe('')
    expect(checked.status).toBe(0)
  })

  it('runs no script when it is installed', () => {
    const { scripts } = manifest
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(scripts).not.toHaveProperty(name)
    }
    expect(scripts).toMatchObject({ dependencies: 'npm run build', prepack: 'npm run build' })
  })

  it('names the same repository in the manifest, docs and workflows', () => {
    const { repository, bugs, homepage } = manifest
    expect(repository.url).toBe(`git+${homepage}.git`)
    expect(bugs).toBe(`${homepage}/issues`)
    const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name))
    const workflows = ['.github/workflows/ci.yml', '.github/workflows/release.yml']
    const others = [
      'README.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'Dockerfile',
      ...workflows,
      ...pages,
    ]
    expect(others.filter((path) => read(path).includes(homepage))).toEqual([])
  })
})

describe('the bill of materials', () => {
  it('lists the packages that are installed or bundled, and no tools', () => {
    const { metadata, components } = readSbom()
    const names = new Set(components.map(({ name }) => name))
    expect(metadata.component.name).toBe('orbweaver')
    for (const name of [...Object.keys(manifest.dependencies), ...BUNDLED, 'd3-quadtree']) {
      expect(names, name).toContain(name)
    }
    for (const name of ['vitest', 'typescript', 'rolldown']) expect(names).not.toContain(name)
  })

  it('covers all packages that the sources import', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path): [string, string] => [path, read(join('src', path))])
    const packages = importsOf(new Map(sources)).filter(
      ({ isFile, typeOnly }) => !isFile && !typeOnly,
    )
    const names = new Set(packages.map(({ target }) => target))
    const isInstalled = (name: string) => name in manifest.dependencies
    expect([...names].filter((name) => !isInstalled(name)).sort()).toEqual(
      BUNDLED.filter((name) => !isInstalled(name)),
    )
  })
})

it('the release publishes with provenance and a bill of materials', () => {
  const release = read('.github/workflows/release.yml')
  expect(release).toMatch(/id-token: write/)
  expect(release).toMatch(/npm publish --provenance/)
  expect(release).toMatch(/npm run sbom -- orbweaver\.cdx\.json/)
})
