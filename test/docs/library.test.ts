import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSite } from '../support/crawl-site.ts'
import type { SiteServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(join(root, 'docs/library.md'), 'utf8')
const programs = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
let site: SiteServer

beforeAll(async () => {
  site = await startSite({
    '/': '<p data-next=/next>x</p><p data-next="/b"><a href=/gone>x</a>',
    '/b': 'two words',
  })
})

afterAll(() => site.close())

/** Runs a program in a folder that contains the package, with a site in place of example.com. */
async function run(program: string, url: string, hooks = '') {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-library-'))
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules', 'orbweaver'), 'junction')
  await writeFile(join(folder, 'hooks.mjs'), hooks)
  await writeFile(join(folder, 'main.mjs'), program.replaceAll('https://example.com/', url))
  const child = spawn(process.execPath, ['main.mjs'], { cwd: folder })
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  await rm(folder, { recursive: true })
  return { code: child.exitCode, stdout, stderr }
}

it('docs/library.md has four programs, which are run here', () => {
  expect(programs).toHaveLength(4)
  expect(page.match(/^```\w+$/gm)).toEqual(programs.map(() => '```js'))
})

it.concurrent.each([
  ['prints visits', 0, (url: string) => [`200 ${url}\n404 ${url}gone\n`, '']],
  [
    'prints the errors in settings that its comment shows',
    1,
    () => ['', programs[1]?.match(/(?<=^ {2}\/\/ ).*\n/gm)?.join('')],
  ],
  [
    'prints missing pages, and the summary',
    2,
    (url: string) => [`${url}gone\n2 visits, finished\n`, ''],
  ],
] as const)('a program of docs/library.md %s', async (_, number, expected) => {
  const url = `${site.url}/`
  const [stdout, stderr] = expected(url)
  expect(await run(programs[number] ?? '', url)).toEqual({ code: 0, stdout, stderr })
})

it('the hooks of docs/library.md add URLs and data', async () => {
  const { url } = site
  const program = `import { crawl } from 'orbweaver'
    for await (const { url, data } of crawl({ seeds: ['${url}'], hooks: 'hooks.mjs' }))
      console.log(url, data?.words)`
  const { stdout } = await run(program, url, programs[3])
  expect(stdout.split('\n').sort()).toEqual([
    '',
    `${url}/ 4`,
    `${url}/b 2`,
    `${url}/gone undefined`,
  ])
})

it('modules and CommonJS get the same library', async () => {
  const program = `import { createRequire } from 'node:module'
    import * as library from 'orbweaver'
    const require = createRequire(import.meta.url)
    const { crawl, CrawlerError, createLogger } = require('orbweaver')
    console.log(crawl === library.crawl, CrawlerError === library.CrawlerError)
    console.log(createLogger === library.createLogger, require.resolve('orbweaver'))`
  const stdout = `true true\ntrue ${join(root, 'dist/index.cjs')}\n`
  expect(await run(program, site.url)).toEqual({ code: 0, stdout, stderr: '' })
})

it.each([
  ["{ node: '22.18.0' }", '22.18.0'],
  ["{ node: '26.3.0', bun: '1.4.5' }", 'Bun 1.4.5'],
])('the runtime %s is refused in a sentence', async (versions, found) => {
  const program = `Object.defineProperty(process, 'versions', { value: ${versions} })
    await import('orbweaver').catch(({ message }) => console.log(message))`
  const stdout = `orbweaver: expected Node.js 22.19 or newer, except 23, got ${found}\n`
  expect(await run(program, site.url)).toEqual({ code: 0, stdout, stderr: '' })
})

it.each(chosen(['es', 'cjs'] as const, (format) => format === 'es'))(
  'a bundle of format %s is refused in a sentence',
  async (format) => {
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-bundle-'))
    const file = join(folder, `main.${format === 'es' ? 'mjs' : 'cjs'}`)
    await build({
      ...{ input: join(root, 'dist/index.cjs'), platform: 'node', logLevel: 'silent' },
      output: { file, format, codeSplitting: false },
    })
    await expect(import(file)).rejects.toThrow(
      `orbweaver: expected its file thread.cjs in ${folder}, found none: bundlers must leave this package out`,
    )
    await rm(folder, { recursive: true })
  },
)

it('a crawl leaves no listeners on the process, and prints nothing', async () => {
  const program = `import { crawl } from 'orbweaver'
    const before = process.eventNames()
    for await (const _ of crawl({ seeds: ['https://example.com/'] }));
    if (process.eventNames().length > before.length) console.log(process.eventNames())`
  expect(await run(program, `${site.url}/`)).toEqual({ code: 0, stdout: '', stderr: '' })
})
