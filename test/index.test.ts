import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type Crawl,
  CrawlerError,
  type CrawlOptions,
  crawl,
  type Data,
  type ErrorCode,
  type Hooks,
  type Page,
  type Stats,
  type Summary,
  type Visit,
} from '../src/index.ts'
import { serveSite } from './support/crawl-site.ts'

// The types are checked by npm run typecheck.
describe('the library', () => {
  it('has types', () => {
    expectTypeOf(crawl).parameters.toEqualTypeOf<[CrawlOptions]>()
    expectTypeOf<Crawl>().toExtend<AsyncIterable<Visit>>()
    expectTypeOf<Crawl['finished']>().resolves.toEqualTypeOf<Summary>()
    expectTypeOf<Crawl['stats']>().returns.toEqualTypeOf<Stats>()
    expectTypeOf<CrawlOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>()
    expectTypeOf<CrawlOptions['depth']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<NonNullable<Visit['error']>['code']>().toEqualTypeOf<ErrorCode>()
    expectTypeOf<CrawlerError['kind']>().toExtend<string>()
    expectTypeOf<Visit['data']>().toEqualTypeOf<Data | undefined>()
    const hooks: Hooks = { onPage: (page) => ({ title: page.title }), shouldFollow: () => true }
    expectTypeOf(hooks.onPage).parameter(0).toEqualTypeOf<Page>()
    // @ts-expect-error a promise is no answer here
    const late: Hooks = { shouldFollow: async () => true }
    // @ts-expect-error no such setting
    const unknown: CrawlOptions = { seeds: [], depht: 1 }
    expect([late, unknown]).toHaveLength(2)
  })

  it('tells at once what is wrong with the settings', () => {
    const settings = { seeds: ['ftp://x'], depth: -1 }
    expect(() => crawl(settings)).toThrow(CrawlerError)
    expect(() => crawl(settings)).toThrow(expect.objectContaining({ kind: 'usage' }))
  })

  it('takes part in no job of several processes, and says so', () => {
    const settings = { seeds: ['http://a.test'], frontier: ['redis://127.0.0.1'], job: 'a' }
    expect(() => crawl(settings)).toThrow(/^frontier: expected to be absent/)
  })

  it('ends when its signal says so: visits in flight first, the reason last', async () => {
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

  it('begins nothing when its signal was aborted before', () => {
    const signal = AbortSignal.abort(new Error('too late'))
    expect(() => crawl({ seeds: ['http://127.0.0.1:9/'], signal })).toThrow('too late')
  })
})
