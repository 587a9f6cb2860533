import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import { openOutputs } from '../../src/formats/open-outputs.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { recordOf } from '../support/record-of.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

const open = (input: ConfigInput) => openOutputs(resolveConfig(input), new PassThrough(), undefined)

it.each<[string, ConfigInput]>([
  ['--format sqlite: expected a file as --output, got stdout', { format: 'sqlite' }],
  ['--format warc: expected a file as --output, got stdout', { format: 'warc' }],
  [
    '--print: expected no --format with it, got `csv`',
    { format: 'csv', print: '{url}', output: 'never-written.csv' },
  ],
  [
    '--deterministic: expected no web archive as output with it',
    { output: 'never-written.warc.gz', deterministic: true },
  ],
])('invalid outputs are refused: %s', async (message, input) => {
  await expect(open(input)).rejects.toMatchObject({ kind: 'usage', message })
})

it.each([
  ['x.warc.gz.gz', {}],
  ['x.jsonl.gz.zst', {}],
  ['x.ZST.gz', { format: 'csv' }],
] as const)(
  'a name with two extensions of compressed files is refused: %s',
  async (name, input) => {
    const output = path(name)
    await expect(open({ output, ...input })).rejects.toMatchObject({
      kind: 'usage',
      message: `${output}: expected a name with one of the extensions .gz or .zst, got two`,
    })
    expect(existsSync(output)).toBe(false)
  },
)

it.each<[string, (part: string) => Promise<void>]>([
  ['map-1.xml', (part) => writeFile(part, 'dear data')],
  ['map-7.xml', (part) => symlink('not-yet', part)],
])(
  'a part of a large sitemap that would replace %s is reported before the crawl',
  async (name, plant) => {
    const [part, output] = [path(name), path('map.xml')]
    await plant(part)
    await expect(open({ output })).rejects.toMatchObject({
      kind: 'usage',
      message: `${part}: expected no such file next to ${output}; --overwrite replaces it`,
    })
    await (await open({ output, overwrite: true })).discard()
  },
)

it('no file is left behind if one of several outputs is refused', async () => {
  await writeFile(path('b.csv'), 'dear data')
  const output = [path('a.jsonl'), path('a.warc.gz'), path('a.sqlite'), path('b.csv')]
  await expect(open({ output })).rejects.toMatchObject({ kind: 'usage' })
  const left = ['a.jsonl', 'a.warc.gz', 'a.cdxj', 'a.sqlite'].filter((name) =>
    existsSync(path(name)),
  )
  expect(left).toEqual([])
})

it.each<[string, ConfigInput, boolean]>([
  ['a job', { frontier: ['redis://127.0.0.1:9'], job: 'a' }, true],
  ['a crawl without state', {}, false],
])('bodies and screenshots are saved durably if they belong to %s', async (_, input, isDurable) => {
  const folders = { saveBodies: path('mirror'), screenshots: path('shots') }
  const { outputs, discard } = await open({ ...input, ...folders, render: 'auto' })
  expect(outputs).toMatchObject({ bodies: { isDurable }, screenshots: { isDurable } })
  await discard()
  expect(readdirSync(path())).toEqual([])
})

it('screenshots get a folder of their own, and none without --render', async () => {
  const folders = { saveBodies: path('mirror'), screenshots: path('mirror') }
  await expect(open({ ...folders, render: 'always' })).rejects.toMatchObject({
    kind: 'usage',
    message: '--screenshots: expected a separate folder, got that of --save-bodies',
  })
  const { outputs, discard } = await open({ screenshots: path('shots') })
  expect(outputs.screenshots).toBeUndefined()
  expect(readdirSync(path())).toEqual([])
  await discard()
})

it.each(['crawl.sqlite', 'seen.sqlite', 'pid'])(
  'no output replaces %s of the state, not even with --overwrite',
  async (name) => {
    const directory = StateDirectory.open(path('state'))
    onTestFinished(() => directory.close())
    const output = [path('a.csv'), path('state', name)]
    const config = resolveConfig({ output, format: 'jsonl', overwrite: true })
    await expect(openOutputs(config, new PassThrough(), directory)).rejects.toMatchObject({
      kind: 'usage',
      message: `${path('state', name)}: expected another name, since the state keeps a file of this name there`,
    })
    const inState = resolveConfig({ output: path('state', 'visits.jsonl') })
    await (await openOutputs(inState, new PassThrough(), directory)).discard()
  },
)

describe('an output name with an unknown extension', () => {
  const KNOWN =
    '.jsonl, .ndjson, .csv, .txt, .md, .xml, .dot, .gv, .graphml, .sqlite, .sqlite3, .db, .warc.gz or .wacz (text formats also with .gz or .zst behind it)'

  it.each([
    ['x.json.gz', 'x.jsonl.gz'],
    ['x.warc', 'x.warc.gz'],
    ['a.xlsx', undefined],
    ['visits.json', 'visits.jsonl'],
    ['a.csv.', undefined],
    ['.hidden.log', undefined],
  ])('is refused without --format: %s', async (name, near) => {
    const output = path(name)
    const advice = near === undefined ? '' : ` (did you mean ${path(near)}?)`
    await expect(open({ output })).rejects.toMatchObject({
      kind: 'usage',
      message: `${output}: expected a name that ends in ${KNOWN}, or --format${advice}`,
    })
    expect(existsSync(output)).toBe(false)
    await (await open({ output, format: 'csv' })).discard()
    await (await open({ output: [output, path('b.csv')], format: 'jsonl' })).discard()
  })

  it('is accepted if it is that of a device or a pipe', async () => {
    execFileSync('mkfifo', [path('pipe.gz')])
    const reader = readFile(path('pipe.gz'))
    const { outputs } = await open({ output: path('pipe.gz') })
    outputs.visits.open({ drained() {}, closed() {}, failed() {} })
    const record = recordOf({ url: 'http://a.test/' })
    outputs.visits.write([{ record }])
    await outputs.visits.close()
    expect(String(await reader)).toBe(record.line)
  })
})

it.each(['visits', '.visits', 'v1.2/visits', '/dev/null'])(
  'an output name without an extension gets JSON lines: %s',
  async (name) => {
    await mkdir(path('v1.2'))
    const isDevice = name.startsWith('/')
    const output = isDevice ? name : path(name)
    const { outputs } = await open({ output })
    outputs.visits.open({ drained() {}, closed() {}, failed() {} })
    const record = recordOf({ url: 'http://a.test/' })
    outputs.visits.write([{ record }])
    await outputs.visits.close()
    expect(await readFile(output, 'utf8')).toBe(isDevice ? '' : record.line)
  },
)

it.each<['skipped' | 'links', string]>([
  ['skipped', 'a.csv'],
  ['links', 'a.graphml'],
  ['links', 'A.XML'],
])('the name of another format is refused for JSON lines: %s %s', async (setting, name) => {
  await expect(open({ [setting]: path(name), format: 'csv' })).rejects.toMatchObject({
    kind: 'usage',
    message: `--${setting}: expected a file for JSON lines, such as a .jsonl, got \`${path(name)}\``,
  })
  await (await open({ [setting]: path('a.txt') })).discard()
})

it.each<[string, ConfigInput['format']]>([
  ['a.db.gz', undefined],
  ['a.zst', 'sqlite'],
  ['a.warc.gz.zst', undefined],
  ['a.zst', 'warc'],
])("binary formats can't be compressed: %s", async (name, format) => {
  const message = expect.stringMatching(/: expected a name without \.(gz|zst) for (sqlite|warc)$/)
  const output = path(name)
  await expect(open({ output, format })).rejects.toMatchObject({ kind: 'usage', message })
  expect(existsSync(output)).toBe(false)
})

describe('one file under two names', () => {
  const other = (name: string) => ({
    kind: 'usage',
    message: `${name}: expected a separate file, got the same file as ${path('a')}`,
  })

  it.each<[string, (name: string) => unknown]>([
    ['./b', (name) => symlink('a', name)],
    ['c', (name) => writeFile(path('a'), '').then(() => link(path('a'), name))],
    ['d/../a', () => mkdir(path('d'))],
    ['e/a', () => symlink('.', path('e'))],
  ])('is refused: a and %s', async (name, prepare) => {
    // `join` would turn both names into one.
    const second = `${path('a').slice(0, -'a'.length)}${name}`
    await prepare(second)
    const output = path('a')
    const others = [
      { output: [output, second] },
      { output, skipped: second },
      { output, links: second },
    ]
    for (const input of others) {
      await expect(open({ ...input, overwrite: true })).rejects.toMatchObject(other(second))
    }
  })

  it('is refused if stdout is redirected to it', async () => {
    await writeFile(path('a'), 'dear data')
    const stdout = createWriteStream(path('a'), { flags: 'a' })
    onTestFinished(() => void stdout.destroy())
    await once(stdout, 'open')
    const config = resolveConfig({ output: ['-', path('a')], overwrite: true })
    await expect(openOutputs(config, stdout, undefined)).rejects.toMatchObject({
      kind: 'usage',
      message: `${path('a')}: expected a separate file, got the same file as stdout`,
    })
    expect(await readFile(path('a'), 'utf8')).toBe('dear data')
  })

  it('is accepted if it is /dev/null', async () => {
    await (await open({ output: '/dev/null', skipped: '/dev/null' })).discard()
  })

  it('is refused as the cookie file', async () => {
    const input = { output: path('a'), cookies: path('a'), overwrite: true }
    await expect(open(input)).rejects.toMatchObject(other(path('a')))
  })
})
