import { createHash, randomBytes } from 'node:crypto'
import {
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import { openOutputs } from '../../src/formats/open-outputs.ts'
import type { Output, OutputEvents } from '../../src/output/output.ts'
import type { Delivery } from '../../src/records/visit-attachments.ts'
import { FileIdentityCache } from '../../src/state/file-identities.ts'
import { checkResumeSettings, storeSettings } from '../../src/state/resume-settings.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { archiveExchange } from '../../src/warc/archive-exchange.ts'
import { keepsTheContract, visitOf } from '../formats/output-contract.ts'
import { ledger } from '../support/ledger.ts'
import { useFolder } from '../support/state-run.ts'
import { answerOf } from './archived-visit.ts'
import { indexByWarcio, readWarc } from './read-warc.ts'

const MIB = 2 ** 20
const silent: OutputEvents = { drained() {}, closed() {}, failed() {} }
const path = useFolder()

/** The bodies of pages: three of them fill a file of a mebibyte. */
const bodies = Array.from({ length: 12 }, () => randomBytes(400_000).toString('base64'))

/** Visits by number, since compressing their bodies takes long. */
const known = new Map<number, Delivery>()

function visit(n: number): Delivery {
  const kept = known.get(n)
  if (kept !== undefined) return kept
  const exchange = archiveExchange(`http://a.test/${n}`, {}, answerOf(bodies[n % 12] ?? ''))
  const made = { ...visitOf(n), exchange }
  known.set(n, made)
  return made
}

function visits(from: number, to: number): Delivery[] {
  return Array.from({ length: to - from }, (_, index) => visit(from + index))
}

/** Returns the URLs of the first pages. */
function urls(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `http://a.test/${n}`)
}

/** Returns the files of an archive in order: that of the name, and the numbered ones. */
function filesOf(name: string): string[] {
  const numbered = readdirSync(dirname(name)).filter((each) => {
    return each.startsWith(`${basename(name, '.warc.gz')}-`) && each.endsWith('.warc.gz')
  })
  return [name, ...numbered.sort().map((each) => join(dirname(name), each))]
}

/** Returns the records of all files, after checking the index of the archive. */
async function read(name: string) {
  const files = filesOf(name)
  const index = readFileSync(name.replace('.warc.gz', '.cdxj'), 'utf8')
  expect(index).toBe(await indexByWarcio(...files))
  const records = (await Promise.all(files.map(readWarc))).flat()
  return records.map(({ type, url, payload }) => {
    return [type, url, createHash('sha256').update(payload).digest('hex')]
  })
}

/** Writes an archive in a crawl without a state. */
async function write(input: ConfigInput, work: (output: Output) => unknown) {
  const config = resolveConfig({ seeds: ['http://a.test/'], ...input })
  const { outputs } = await openOutputs(config, new PassThrough(), undefined)
  outputs.visits.open(silent)
  await work(outputs.visits)
  await outputs.visits.finish()
  await outputs.visits.close()
}

/** Writes pages until the archive has so many files, the last of which has a page. Returns the number of pages. */
async function writeUntil(count: number, output: Output, file: string, pages = 0): Promise<number> {
  output.write([visit(pages)])
  await sleep(10)
  const files = filesOf(file)
  const isDone = files.length === count && statSync(files.at(-1) ?? '').size > 0
  return isDone ? pages + 1 : writeUntil(count, output, file, pages + 1)
}

/** Returns the length of each file, by its name, when it was last made durable. Calls `during` each time. */
async function lengthsAtSyncs(during: () => void): Promise<ReadonlyMap<string, number>> {
  const lengths = new Map<string, number>()
  const handle = await open(path('probe'), 'w')
  const { datasync } = handle
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  const spy = vi.spyOn(prototype, 'datasync').mockImplementation(function (this: FileHandle) {
    const { size } = fstatSync(this.fd)
    lengths.set(readlinkSync(`/proc/self/fd/${this.fd}`), size)
    during()
    return datasync.call(this)
  })
  await handle.close()
  onTestFinished(() => spy.mockRestore())
  return lengths
}

/** Writes visits to an archive in a run of a crawl with a state. */
async function run(input: ConfigInput, state: string, batches: readonly Delivery[][]) {
  const directory = StateDirectory.open(state)
  const given = { seeds: ['http://a.test/'], ...input }
  const config = resolveConfig(given)
  directory.followMovedFiles(config)
  checkResumeSettings(directory, config, () => 'some advice')
  storeSettings(directory, config, given)
  const { outputs } = await openOutputs(config, new PassThrough(), directory)
  const commit = async () => {
    const positions = await outputs.visits.sync()
    const files = new FileIdentityCache().identities(Object.keys(positions))
    directory.commit({ ...ledger, positions, files })
  }
  outputs.visits.open(silent)
  for (const batch of batches) {
    await commit()
    outputs.visits.write(batch)
  }
  await outputs.visits.finish()
  await commit()
  await outputs.visits.close()
  directory.close()
}

keepsTheContract({ file: 'site.warc.gz', settings: { splitWarc: '1MiB' }, visit, read })

describe('an archive with --split-warc', () => {
  it('continues in numbered files, each of which begins with its description', async () => {
    const file = path('site.warc.gz')
    let pages = 0
    await write({ output: file, splitWarc: '1MiB' }, async (output) => {
      pages = await writeUntil(3, output, file)
    })
    const files = filesOf(file)
    expect(files.map((each) => basename(each))).toEqual([
      ...['site.warc.gz', 'site-00002.warc.gz', 'site-00003.warc.gz'],
    ])
    for (const each of files) {
      const text = gunzipSync(readFileSync(each)).toString('latin1')
      expect(text).toContain(`WARC-Type: warcinfo\r\n`)
      expect(text.indexOf(`WARC-Filename: ${basename(each)}\r\n`)).toBeLessThan(300)
    }
    for (const each of files.slice(0, -1)) expect(statSync(each).size).toBeGreaterThan(MIB)
    const responses = (await read(file)).filter(([type]) => type !== 'request')
    expect(responses.map(([, url]) => url)).toEqual(urls(pages))
  })

  it('begins no file that stays empty', async () => {
    const input = { output: path('full.warc.gz'), splitWarc: '1MiB' }
    await run(input, path('state'), [[], visits(0, 3)])
    expect(statSync(input.output).size).toBeGreaterThan(MIB)
    await run(input, path('state'), [[]])
    await write({ ...input, output: path('once.warc.gz') }, (output) => output.write(visits(0, 4)))
    expect(readdirSync(path()).filter((name) => name.endsWith('.warc.gz'))).toEqual([
      ...['full.warc.gz', 'once.warc.gz'],
    ])
  })

  it('names a body of an earlier file instead of writing it again', async () => {
    const file = path('again.warc.gz')
    await write({ output: file, splitWarc: '1MiB' }, async (output) => {
      await writeUntil(2, output, file)
      output.write([
        { ...visit(0), exchange: archiveExchange('http://b.test/', {}, answerOf(bodies[0] ?? '')) },
      ])
    })
    const [, second = ''] = filesOf(file)
    const revisit = (await readWarc(second)).find(({ url }) => url === 'http://b.test/')
    const [first] = await readWarc(file)
    expect(revisit?.type).toBe('revisit')
    expect(revisit?.field('WARC-Refers-To')).toBe(first?.field('WARC-Record-ID'))
  })

  it('refuses files of an earlier archive before the crawl, and removes them with --overwrite', async () => {
    const file = path('old.warc.gz')
    for (const name of ['old-00002.warc.gz', 'old-00123.warc.gz', 'old-1.warc.gz', 'old-00003.txt'])
      writeFileSync(path(name), 'old')
    const settings = { output: file, splitWarc: '1MiB' }
    const config = resolveConfig({ seeds: ['http://a.test/'], ...settings })
    await expect(openOutputs(config, new PassThrough(), undefined)).rejects.toThrow(
      `${path('old-00002.warc.gz')}: expected no file of another archive that old.warc.gz may continue in; --overwrite removes it`,
    )
    expect(readdirSync(path()).filter((name) => name.startsWith('old'))).toHaveLength(4)
    await write({ ...settings, overwrite: true }, (output) => output.write([visit(0)]))
    const left = readdirSync(path()).filter((name) => name.startsWith('old'))
    expect(left.sort()).toEqual(['old-00003.txt', 'old-1.warc.gz', 'old.cdxj', 'old.warc.gz'])
  })

  it('makes all of a full file durable in a job, whose pages are also written during a sync', async () => {
    const file = path('job.warc.gz')
    const config = resolveConfig({
      ...{ seeds: ['http://a.test/'], output: [file, path('job.jsonl')], splitWarc: '1MiB' },
      ...{ frontier: ['redis://localhost'], job: 'job' },
    })
    const { outputs } = await openOutputs(config, new PassThrough(), undefined)
    const late = [visit(3)]
    const durable = await lengthsAtSyncs(() => outputs.visits.write(late.splice(0)))
    outputs.visits.open(silent)
    outputs.visits.write(visits(0, 3))
    await outputs.visits.sync()
    await outputs.visits.sync()
    expect(filesOf(file)).toHaveLength(2)
    expect(durable.get(file)).toBe(statSync(file).size)
    await outputs.visits.close()
  })

  it('reports a file that another program has created in the meantime', async () => {
    const file = path('late.warc.gz')
    const config = resolveConfig({
      ...{ seeds: ['http://a.test/'], output: file, splitWarc: '1MiB' },
    })
    const { outputs } = await openOutputs(config, new PassThrough(), undefined)
    const failed = new Promise<Error>((resolve) =>
      outputs.visits.open({ ...silent, failed: resolve }),
    )
    writeFileSync(path('late-00002.warc.gz'), 'theirs')
    outputs.visits.write(visits(0, 3))
    outputs.visits.write([visit(3)])
    expect((await failed).message).toContain('late-00002.warc.gz: expected a file that doesn')
    await outputs.visits.close()
    expect(readFileSync(path('late-00002.warc.gz'), 'utf8')).toBe('theirs')
    expect(await readWarc(file)).toHaveLength(8)
  })

  it('continues in its last file after a resume without the option, or in another folder', async () => {
    const [before, after] = [path('before'), path('after')]
    mkdirSync(before)
    const input = { output: join(before, 'moved.warc.gz'), splitWarc: '1MiB' }
    await run(input, path('state'), [visits(0, 3), visits(3, 6), visits(6, 7)])
    renameSync(before, after)
    const { splitWarc, ...single } = input
    const moved = { ...single, output: join(after, 'moved.warc.gz') }
    await run(moved, path('state'), [visits(7, 12)])
    const files = filesOf(moved.output)
    expect(files.map((each) => basename(each))).toEqual([
      ...['moved.warc.gz', 'moved-00002.warc.gz', 'moved-00003.warc.gz'],
    ])
    const responses = (await read(moved.output)).filter(([type]) => type !== 'request')
    expect(responses.map(([, url]) => url)).toEqual(urls(12))
  })

  it.each([
    {
      ...{ what: 'a full file is missing', output: 'site.warc.gz' },
      change: (at: string) => unlinkSync(`${at}-00002.warc.gz`),
      message: /site-00002\.warc\.gz: expected the .* bytes that the crawl had written, got none/,
    },
    {
      ...{ what: 'a full file was cut', output: 'site.warc.gz' },
      change: (at: string) => truncateSync(`${at}.warc.gz`, 9),
      message: /site\.warc\.gz: expected the .* bytes that the crawl had written, got 9/,
    },
    {
      ...{ what: 'only its first file was moved', output: 'new/site.warc.gz' },
      change: (at: string) => renameSync(`${at}.warc.gz`, join(dirname(at), 'new/site.warc.gz')),
      message:
        /new\/site-00002\.warc\.gz: expected the .* bytes that the crawl had written, got none/,
    },
    {
      ...{ what: 'its first file was renamed', output: 'other.warc.gz' },
      change: (at: string) => renameSync(`${at}.warc.gz`, join(dirname(at), 'other.warc.gz')),
      message:
        /other\.warc\.gz: expected the name site\.warc\.gz, since the archive continues in .*\/site-00002\.warc\.gz$/,
    },
  ])('is not continued if $what', async ({ output, change, message }) => {
    mkdirSync(path('new'))
    const input = { output: path('site.warc.gz'), splitWarc: '1MiB' }
    await run(input, path('state'), [visits(0, 3), visits(3, 6), visits(6, 7)])
    change(path('site'))
    const resumed = run({ ...input, output: path(output) }, path('state'), [visits(7, 8)])
    await expect(resumed).rejects.toThrow(message)
  })
})
