import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

interface Packed {
  readonly files: readonly { readonly path: string }[]
  readonly unpackedSize: number
}

/** What npm would publish, of the build that is there. */
function packed(): Packed {
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const shell = process.platform === 'win32'
  const out = execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    shell,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [first]: Packed[] = JSON.parse(out)
  if (first === undefined) throw new Error('npm packs nothing')
  return first
}

const COMMANDS = 'check completion diff help job plan report seen state'.split(' ')
const MANUALS = ['crawl', ...COMMANDS.map((name) => `crawl-${name}`)]

it('the package holds the program, its types, its schema and its docs, and nothing else', () => {
  const { files, unpackedSize } = packed()
  const paths = files.map(({ path }) => path)
  const pages = /^docs\/(?:examples\/[\w.-]+|[\w.-]+\.json|(?:[\w-]+\/)?[\w-]+\.(?:md|png|svg))$/
  const own = paths.filter((path) => !path.startsWith('dist/') && !pages.test(path))
  expect(own.sort()).toEqual(
    [
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'bench/README.md'],
      ...['bin/crawl.js', 'package.json'],
      ...MANUALS.map((name) => `docs/man/${name}.1`),
    ].sort(),
  )
  const built = paths.filter((path) => path.startsWith('dist/'))
  expect(built).toEqual(
    expect.arrayContaining([
      ...['dist/cli.js', 'dist/index.js', 'dist/index.d.ts', 'dist/report-page.js'],
      ...['dist/worker/main.js', 'dist/render-worker/main.js'],
    ]),
  )
  // Chunks have their hash behind their names.
  const chunk = /^dist\/(?:cli|index|report-page|(?:render-)?worker\/main|[\w-]+-[\w-]{8})\.js$/
  const script = /^dist\/scripts\/[\w-]+\.lua$/
  expect(built.filter((path) => script.test(path)).length).toBeGreaterThan(5)
  const others = built.filter(
    (path) => !path.endsWith('.d.ts') && !chunk.test(path) && !script.test(path),
  )
  expect(others).toEqual([])
  expect(
    built.filter((path) => /^dist\/(?:cli|worker|render-worker)\/.+\.d\.ts$/.test(path)),
  ).toEqual([])
  expect(unpackedSize).toBeLessThan(3_200_000)
})
