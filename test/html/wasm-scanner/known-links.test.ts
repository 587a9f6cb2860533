import { describe, expect, it } from 'vitest'
import { MAX_LINK_CHARACTERS } from '../../../src/html/link-limits.ts'
import { WASM } from '../../../src/html/wasm-scanner/generated/checked.ts'
import { TARGET_FLAG } from '../../../src/html/wasm-scanner/layout/codes.ts'
import { MAX_TARGETS } from '../../../src/html/wasm-scanner/layout/limits.ts'
import type { LinkReport, ReportOptions } from '../../../src/html/wasm-scanner/link-report.ts'
import { PageScanner } from '../../../src/html/wasm-scanner/page-scanner.ts'
import { Scope } from '../../../src/url/scope.ts'
import { heapBytes } from '../../support/heap-bytes.ts'

const SITE = 'http://a.test/'

/** A worker that marks all URLs that are reported to it, as one does whose seen set never forgets. */
class Worker {
  readonly scanner = PageScanner.open({ agents: [] }, WASM)
  readonly judged: string[] = []
  readonly scope = new Scope({ scope: 'host', seeds: [SITE], include: [], exclude: [] })

  /** Scans a page. Returns undefined if the page is left to the reference. */
  read(html: string, options: Partial<ReportOptions> = {}): LinkReport | undefined {
    const body = Buffer.from(html)
    this.scanner.body(body.length)?.set(body)
    const scan = this.scanner.scan(body.length)
    const request = { url: SITE, depth: 1, heedsNofollow: true, ...options }
    return scan && this.scanner.links.report(scan, request, (url) => this.#verdictOf(url))
  }

  /** Scans a page, and marks everything that was reported. */
  reportOf(html: string, options: Partial<ReportOptions> = {}) {
    const report = this.read(html, options)
    if (report === undefined) return undefined
    const { targets } = this.scanner.links
    const urlsOf = (numbers: readonly number[]) => numbers.map((number) => targets.urlOf(number))
    const { links, nearer, kept, skips, followed, known } = report
    for (const link of links) {
      targets.mark(link, options.isAtDepthLimit ? TARGET_FLAG.depthReported : TARGET_FLAG.known)
    }
    for (const { target, reason } of skips) {
      targets.mark(
        target,
        reason === 'nofollow' ? TARGET_FLAG.nofollowReported : TARGET_FLAG.skipReported,
      )
    }
    const skipped = skips.map(({ target, reason }) => `${reason} ${targets.urlOf(target)}`)
    const found = { links: urlsOf(links), nearer: urlsOf(nearer), skipped, followed, known }
    return kept === undefined ? found : { ...found, kept: urlsOf(kept) }
  }

  #verdictOf(url: string) {
    this.judged.push(url)
    return { reason: this.scope.whyNot(url) }
  }
}

function anchors(hrefs: readonly string[]): string {
  return hrefs.map((href) => `<a href="${href}">`).join('')
}

const NONE = { links: [], nearer: [], skipped: [] }

describe('a worker', () => {
  it('gets each URL once, in any spelling', () => {
    const worker = new Worker()
    const first = worker.reportOf(anchors(['x', '/y', 'x']))
    expect(first).toEqual({ ...NONE, links: [`${SITE}x`, `${SITE}y`], followed: 2, known: 0 })
    const second = worker.reportOf(anchors(['/x', './y', `${SITE}x#top`, 'HTTP://A.test/y', 'z']))
    expect(second).toEqual({ ...NONE, links: [`${SITE}z`], followed: 3, known: 2 })
  })

  it('judges each URL once', () => {
    const worker = new Worker()
    worker.read(anchors(['x', '//b.test/', 'mailto:x']))
    worker.read(anchors(['/x', 'http://b.test/', 'mailto:x']))
    expect(worker.judged).toEqual([`${SITE}x`, 'http://b.test/'])
  })

  it('gets a URL repeatedly until it marks it', () => {
    const worker = new Worker()
    for (const _ of [1, 2, 3]) expect(worker.read(anchors(['x']))?.links).toHaveLength(1)
  })

  it('gets each reason for which a URL is not followed once', () => {
    const worker = new Worker()
    const html = `${anchors(['//b.test/', 'mailto:x', 'http://[', 'mailto:x#y'])}<a rel=nofollow href=x>`
    const skipped = ['out-of-scope http://b.test/', 'scheme mailto:x', 'invalid-url http://[']
    const reasons = [...skipped, 'scheme mailto:x#y', `nofollow ${SITE}x`]
    expect(worker.reportOf(html)).toMatchObject({ links: [], skipped: reasons })
    expect(worker.reportOf(html + anchors(['x']))).toMatchObject({
      links: [`${SITE}x`],
      skipped: [],
    })
    const refused = worker.reportOf(anchors(['x', 'mailto:x', '//b.test/']), { nofollow: true })
    expect(refused).toMatchObject({ links: [], skipped: ['nofollow http://b.test/'] })
  })

  it('gets all URLs, known or not, on request', () => {
    const worker = new Worker()
    const html = anchors(['x', '//b.test/', 'y'])
    const first = worker.reportOf(html)
    expect(worker.reportOf(html, { all: true })).toEqual({ ...first, known: 2 })
  })

  it('gets the URLs that the frontier keeps in page order, and those to check apart from them', () => {
    const worker = new Worker()
    worker.reportOf(anchors(['a', 'b', '//b.test/']), { depth: 5 })
    const html = anchors(['c', 'b', '//b.test/', 'a', 'b'])
    const urls = [`${SITE}c`, `${SITE}b`, `${SITE}a`]
    const nearer = worker.reportOf(html, { depth: 3, nearer: true, keep: true })
    expect(nearer).toMatchObject({ links: [urls[0]], nearer: [urls[1], urls[2]], kept: urls })
    const again = worker.reportOf(html, { depth: 3, nearer: true, keep: true })
    expect(again).toMatchObject({ ...NONE, kept: urls, followed: 3, known: 3 })
  })

  it('gets the URLs that the frontier keeps also beyond the depth limit', () => {
    const worker = new Worker()
    const html = anchors(['a', 'b'])
    const urls = [`${SITE}a`, `${SITE}b`]
    const options = { isAtDepthLimit: true, keep: true }
    expect(worker.reportOf(html, options)).toMatchObject({ links: urls, kept: urls })
    expect(worker.reportOf(html, options)).toMatchObject({ links: [], kept: urls, known: 0 })
  })

  it('gets a known URL if a page links to it at a smaller depth than all before', () => {
    const worker = new Worker()
    const html = anchors(['x'])
    worker.reportOf(html, { depth: 5 })
    const nearer = (depth: number) => worker.reportOf(html, { depth, nearer: true })?.nearer
    expect(nearer(6)).toEqual([])
    expect(nearer(5)).toEqual([])
    expect(nearer(3)).toEqual([`${SITE}x`])
    expect(nearer(3)).toEqual([])
    expect(nearer(2)).toEqual([`${SITE}x`])
  })

  it('gets smaller depths only if a deeper page may have been in flight', () => {
    const worker = new Worker()
    const html = anchors(['x'])
    worker.reportOf(html, { depth: 5 })
    expect(worker.reportOf(html, { depth: 3 })?.nearer).toEqual([])
    expect(worker.reportOf(html, { depth: 3, nearer: true })?.nearer).toEqual([])
  })

  it('gets unclaimed URLs at the depth limit once', () => {
    const worker = new Worker()
    worker.reportOf(anchors(['x']))
    const limit = { isAtDepthLimit: true }
    const html = anchors(['x', 'y'])
    expect(worker.reportOf(html, limit)).toMatchObject({
      links: [`${SITE}y`],
      followed: 2,
      known: 1,
    })
    expect(worker.reportOf(html, limit)).toMatchObject({ links: [], followed: 2, known: 1 })
    expect(worker.reportOf(html)).toMatchObject({ links: [`${SITE}y`], followed: 2, known: 1 })
  })

  it('judges URLs anew after the scope has grown and all is forgotten', () => {
    const worker = new Worker()
    const html = anchors(['//b.test/'])
    expect(worker.reportOf(html)?.links).toEqual([])
    worker.scope.widen('http://b.test/')
    worker.scanner.links.targets.forget()
    expect(worker.reportOf(html)?.links).toEqual(['http://b.test/'])
  })
})

describe('the memory of known links', () => {
  it('reports all links although it has no space for so many URLs', () => {
    const worker = new Worker()
    const perPage = 10_000
    for (let page = 0; page * perPage <= MAX_TARGETS + perPage; page++) {
      const hrefs = Array.from({ length: perPage }, (_, index) => `${page}/${index}`)
      const report = worker.reportOf(anchors([...hrefs, ...hrefs]))
      expect(report?.links).toEqual(hrefs.map((href) => SITE + href))
    }
  })

  it('creates no strings on the heap for URLs that were reported', () => {
    const worker = new Worker()
    const urls = 30_000
    const pages = Array.from({ length: 30 }, (_, page) =>
      anchors(Array.from({ length: urls / 30 }, (__, index) => `/${page}/page-of-a-site-${index}`)),
    )
    const before = heapBytes()
    for (const page of pages) worker.reportOf(page)
    worker.judged.length = 0
    expect((heapBytes() - before) / urls).toBeLessThan(30)
  })

  it('leaves a page that exceeds its space to the reference, and continues', () => {
    const worker = new Worker()
    worker.reportOf(anchors(['x']))
    const many = Array.from({ length: 3_000 }, (_, index) => `${index}${'x'.repeat(5_000)}`)
    const chunks = [0, 700, 1_400, 2_100].map((start) => many.slice(start, start + 700))
    for (const chunk of chunks) expect(worker.reportOf(anchors(chunk))?.links).toHaveLength(700)
    const base = `<base href="/${'d'.repeat(7_000)}/">`
    const short = Array.from({ length: 2_000 }, (_, index) => `${index}`)
    expect(worker.reportOf(base + anchors(short))).toBeUndefined()
    expect(worker.reportOf(anchors(['x']))?.links).toEqual([`${SITE}x`])
  })

  it('leaves a page whose URLs are too long in total to the reference', () => {
    const worker = new Worker()
    const base = `<base href="/${'d'.repeat(7_000)}/">`
    const times = Math.ceil(MAX_LINK_CHARACTERS / 7_000)
    expect(worker.read(base + anchors(new Array(times - 100).fill('x')))).toBeDefined()
    expect(worker.read(base + anchors(new Array(times).fill('x')))).toBeUndefined()
  })

  it('never confuses two hrefs, even if many share a hash slot', () => {
    const worker = new Worker()
    const hrefs = Array.from({ length: 50_000 }, (_, index) => `${index.toString(36)}/index.html`)
    for (const _ of [1, 2]) {
      const report = worker.read(anchors(hrefs), { all: true })
      const { targets } = worker.scanner.links
      expect(report?.links.map((link) => targets.urlOf(link))).toEqual(
        hrefs.map((href) => SITE + href),
      )
    }
  })
})
