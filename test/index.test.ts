import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { LIBRARY_SETTINGS, librarySettings } from '../build/library-settings.ts'
import type { ConfigInput } from '../src/config/schema.ts'
import type { clusterSettings } from '../src/config/settings/cluster-settings.ts'
import type { outputSettings } from '../src/config/settings/output-settings.ts'
import {
  type Crawl,
  CrawlerError,
  type CrawlOptions,
  crawl,
  createLogger,
  type Hooks,
  type Summary,
  type Visit,
} from '../src/index.ts'
import type { SeenName } from '../src/seen/seen-set.ts'
import { serveSite } from './support/crawl-site.ts'

type CommandSetting =
  | '$schema'
  | 'metrics'
  | keyof typeof outputSettings
  | keyof typeof clusterSettings

/** Returns the names in a text that follow these marks. */
const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name = '']) => name).sort()

// `npm run typecheck` checks the types.
describe('the library', () => {
  it('exports what its docs describe, at most eight names', () => {
    const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
    const exported = namesIn(read('src/index.ts').replace(/ from .*/g, ''), /(\w+)(?=,| \}$)/gm)
    const documented = namesIn(
      read('docs/library.md'),
      /^\| `(\w+)`[^|]*\| (?:function|class|type) \|/gm,
    )
    expect(documented).toEqual(exported)
    expect(exported.length).toBeGreaterThanOrEqual(3)
    expect(exported.length).toBeLessThanOrEqual(8)
  })

  it('has types for crawls and settings', () => {
    expectTypeOf(crawl).parameters.toEqualTypeOf<[CrawlOptions]>()
    expectTypeOf(crawl).returns.toEqualTypeOf<Crawl>()
    expectTypeOf<Crawl>().toExtend<AsyncIterable<Visit>>()
    expectTypeOf<keyof Crawl>().toEqualTypeOf<
      'finished' | 'stop' | 'stats' | typeof Symbol.asyncIterator
    >()
    expectTypeOf<Crawl['finished']>().resolves.toEqualTypeOf<Summary>()
    expectTypeOf<Summary>().toExtend<ReturnType<Crawl['stats']>>()
    expectTypeOf<keyof CrawlOptions>().toEqualTypeOf<
      keyof Omit<ConfigInput, CommandSetting> | 'signal' | 'logger'
    >()
    expectTypeOf<Omit<ConfigInput, CommandSetting | 'seen'>>().toExtend<CrawlOptions>()
    expectTypeOf<CrawlOptions['seen']>().toEqualTypeOf<SeenName | undefined>()
    expectTypeOf<readonly string[]>().toExtend<CrawlOptions['seeds']>()
    expectTypeOf<CrawlOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>()
    expectTypeOf<CrawlOptions['depth']>().toEqualTypeOf<number | 'unlimited' | undefined>()
    expectTypeOf<CrawlOptions>().not.toHaveProperty('state')
    expectTypeOf<CrawlOptions>().not.toHaveProperty('frontier')
    expectTypeOf<NonNullable<Visit['error']>['code']>().toExtend<string>()
    expectTypeOf<'timeout'>().toExtend<NonNullable<Visit['error']>['code']>()
    expectTypeOf<CrawlerError['kind']>().toEqualTypeOf<'usage' | 'output' | 'state' | 'redis'>()
    expectTypeOf<Visit['data']>().toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>()
    expectTypeOf<Awaited<ReturnType<typeof createLogger>>>().toExtend<CrawlOptions['logger']>()
  })

  it('has a comment on each setting (npm run docs writes them)', () => {
    expect(readFileSync(LIBRARY_SETTINGS, 'utf8')).toBe(librarySettings())
  })

  it('has types for hooks', () => {
    const hooks: Hooks = {
      onPage(page, { enqueue }) {
        expectTypeOf(page.html).toBeString()
        expectTypeOf(enqueue).parameter(0).toEqualTypeOf<string | URL>()
        return { title: page.title }
      },
      shouldFollow: ({ url, depth }, page) => url !== page.url && depth < 3,
    }
    interface Words {
      readonly words: number
    }
    const typed: Hooks = { onPage: (page): Words => ({ words: page.html.length }) }
    const typedLate: Hooks = { onPage: async (page): Promise<Words> => ({ words: page.depth }) }
    // @ts-expect-error a list is no data
    const list: Hooks = { onPage: () => ['a'] }
    // @ts-expect-error a list is no data
    const lateList: Hooks = { onPage: async () => ['a'] }
    // @ts-expect-error a text is no data
    const text: Hooks = { onPage: async () => 'a' }
    // @ts-expect-error a generator is no data
    const generator: Hooks = { async *onPage() {} }
    // @ts-expect-error a promise is no answer here
    const late: Hooks = { shouldFollow: async () => true }
    // @ts-expect-error unknown setting
    const unknown: CrawlOptions = { seeds: [], depht: 1 }
    const refused = [list, lateList, text, generator, late, unknown]
    expect([hooks, typed, typedLate, ...refused]).toHaveLength(9)
  })

  it('reports invalid settings at once', () => {
    const settings = { seeds: ['ftp://x'], depth: -1 }
    expect(() => crawl(settings)).toThrow(CrawlerError)
    expect(() => crawl(settings)).toThrow(expect.objectContaining({ kind: 'usage' }))
  })

  it.each([
    [{ logger: console }, 'logger: expected a pino logger, such as one from createLogger'],
    [{ logger: null }, 'logger: expected a pino logger, such as one from createLogger'],
    [{ signal: {} }, 'signal: expected an AbortSignal'],
  ])('refuses %j as settings', (options, message) => {
    const settings: object = { seeds: ['http://a.test/'], ...options }
    const start = () => crawl(settings as CrawlOptions)
    expect(start).toThrow(expect.objectContaining({ kind: 'usage', message }))
  })

  it.each<[string, CrawlOptions, string]>([
    ['a browser', { render: 'always', browser: '/none/browser' }, 'browser: expected'],
    ['a file', { cacert: '/none/ca.pem' }, '/none/ca.pem: expected'],
    ['a setting', { deterministic: true, maxPerDomain: 5 }, 'deterministic: expected'],
  ])('leaves no file when a crawl cannot begin: %s', (_, settings, message) => {
    const { TMPDIR = '' } = process.env
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-'))
    process.env['TMPDIR'] = folder
    onTestFinished(() => {
      process.env['TMPDIR'] = TMPDIR
    })
    const seeds = ['http://a.test/']
    expect(() => crawl({ seeds, seen: 'sqlite', ...settings })).toThrow(message)
    expect(readdirSync(folder)).toEqual([])
  })

  it('reports that a crawl needs seeds', () => {
    expect(() => crawl({})).toThrow('seeds: expected at least one URL, got none')
  })

  it('names settings, not flags, in its errors', () => {
    const settings = { seeds: ['http://127.0.0.1:9/'], depht: 3, perHost: 0 }
    const message = [
      'perHost: expected a whole number from 1 to 10000, got `0`',
      'depht: unknown setting; did you mean depth?',
    ].join('\n')
    expect(() => crawl(settings)).toThrow(expect.objectContaining({ message }))
    const tooLarge = { seeds: ['http://127.0.0.1:9/'], expectedUrls: 1e15 }
    expect(() => crawl(tooLarge)).toThrow(/^expectedUrls 1000000000000000: (?!.*--)/)
  })

  it('refuses settings of the command line only, rather than ignore them', () => {
    const settings = { seeds: ['http://a.test'], frontier: ['redis://127.0.0.1'], state: 'x' }
    const message = ['frontier', 'state']
      .map((name) => `${name}: expected to be absent: it is for the command, not for the library`)
      .join('\n')
    expect(() => crawl(settings)).toThrow(expect.objectContaining({ kind: 'usage', message }))
  })

  it.each<[object, string | RegExp]>([
    [
      { headers: new Headers({ a: 'b' }) },
      'headers: expected an object of header names and values',
    ],
    [{ extract: new Map([['a', 'b']]) }, /^extract: expected an object of names and CSS selectors/],
    [
      { include: [/x/] },
      /^include\.0: expected a JavaScript regular expression such as .+, got a RegExp object$/,
    ],
    [
      { seeds: [new URL('http://a.test')] },
      'seeds.0: expected an http or https URL, got a URL object',
    ],
    [
      { hooks: new URL('file:///hooks.mjs') },
      'hooks: expected the path or `file:` URL of a module, got a URL object',
    ],
    [{ hooks: () => {} }, 'hooks: expected the path or `file:` URL of a module, got a function'],
    [{ depth: 3n }, /^depth: expected a whole number from 0 to 1000000.+got `3n`$/],
    [{ depth: Number.NaN }, /^depth: expected a whole number from 0 to 1000000.+got `NaN`$/],
  ])('refuses what would silently be ignored, in one line: %o', (settings, message) => {
    const options: CrawlOptions = Object.assign({ seeds: ['http://a.test'] }, settings)
    expect(() => crawl(options)).toThrow(message)
  })

  it.each([
    ['http://a.test/', 'string'],
    [['http://a.test/'], 'list'],
  ])('expects an object of settings, not %j', (options, kind) => {
    const message = `settings: expected an object such as { seeds: ['https://example.com/'] }, got a ${kind}`
    // @ts-expect-error neither is an object of settings
    expect(() => crawl(options)).toThrow(expect.objectContaining({ message }))
  })

  it('refuses seen sets that only the processes of a job share', () => {
    const settings = Object.assign({ seeds: ['http://a.test/'] }, { seen: 'redis-set' as 'exact' })
    const message =
      'seen: expected the seen set of one process, got `redis-set`, which is for the command with frontier'
    expect(() => crawl(settings)).toThrow(expect.objectContaining({ kind: 'usage', message }))
  })

  it('logs to the logger that it is given', async () => {
    const site = await serveSite({ '/': '' })
    const stream = new PassThrough()
    const logger = await createLogger({ level: 'info', stream, pretty: false })
    const running = crawl({ seeds: [site.url], depth: 0, workers: 1, logger, signal: undefined })
    for await (const { status } of running) expect(status).toBe(200)
    await running.finished
    expect(stream.read().toString()).toContain('"msg":"Thread-1, ')
  })

  it('finishes the visits in flight when its signal aborts, then rejects with the reason', async () => {
    const site = await serveSite({ '/': '<a href=/1>', '/1': '<a href=/2>', '/2': '' })
    const controller = new AbortController()
    const reason = new Error('enough')
    const running = crawl({ seeds: [site.url], workers: 1, signal: controller.signal })
    const depths: number[] = []
    const loop = async () => {
      for await (const { depth } of running) {
        depths.push(depth)
        controller.abort(reason)
      }
    }
    await expect(loop()).rejects.toBe(reason)
    expect(depths[0]).toBe(0)
    await expect(running.finished).resolves.toMatchObject({ reason: 'stopped' })
    expect(running.stats()).toMatchObject({ visits: depths.length, inFlight: 0 })
  })

  it("doesn't start if its signal was aborted before", () => {
    const signal = AbortSignal.abort(new Error('too late'))
    expect(() => crawl({ seeds: ['http://127.0.0.1:9/'], signal })).toThrow('too late')
  })
})
