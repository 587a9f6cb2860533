import { describe, expect, it } from 'vitest'
import { BoilerplateDetector } from '../../../src/html/boilerplate/boilerplate-detector.ts'
import { type TextCounts, TextCountTable } from '../../../src/html/boilerplate/text-count-table.ts'
import { TextSamples } from '../../../src/html/reference-scanner/text-samples.ts'
import { WASM } from '../../../src/html/wasm-scanner/generated/checked.ts'
import { PageScanner } from '../../../src/html/wasm-scanner/page-scanner.ts'
import { page } from '../reference-scanner/scanned.ts'

const NAVIGATION = `<nav><p>Welcome to the library of the town</p>
  <a href=/>All the books that we have</a><img src=/logo.png></nav>`
const FOOT = '<p>Open on all days but Sunday</p><p>Closed in the month of August</p>'

const SIXTY = Array.from({ length: 60 }, (_, i) => `A text on every page: ${letters(i)}`)

function hanzi(i: number): string {
  const codes = Array.from(
    { length: 5 },
    (_, at) => 0x4e00 + (((i + 1) * 7_919 * (at + 1)) % 20_000),
  )
  return String.fromCharCode(...codes)
}

function letters(i: number): string {
  return Array.from(`${i}`, (digit) => 'abcdefghij'.charAt(Number(digit))).join('')
}

/** Returns whether a page has new content. */
type Detect = (url: string, html: string) => boolean

const DETECTORS = {
  'in TypeScript': byReference,
  'in WebAssembly': byModule,
}

function byReference(counts: TextCounts): Detect {
  const detector = new BoilerplateDetector(counts)
  const samples = new TextSamples()
  return (url, html) => {
    page(html, { samples })
    return detector.hasNewContent(url, samples)
  }
}

function byModule(textCounts: TextCounts): Detect {
  const scanner = PageScanner.open({ agents: [], textCounts }, WASM)
  return (url, html) => {
    const body = Buffer.from(html)
    scanner.body(body.length)?.set(body)
    const scan = scanner.scan(body.length)
    if (scan === undefined) throw new Error('the scanner left the page to the reference')
    return scanner.hasNewContent(scan, url)
  }
}

describe.each(Object.entries(DETECTORS))('the boilerplate detector %s', (_, open) => {
  /** Passes pages of a host to a detector. Returns which of them have new content. */
  class Reader {
    readonly #detect: Detect

    constructor(memory = TextCountTable.allocate()) {
      this.#detect = open(new TextCountTable(memory))
    }

    hasNewContent(path: string, body: string, title = 'Library', host = 'a.test'): boolean {
      const html = `<title>${title}</title>${NAVIGATION}<main>${body}</main>${FOOT}`
      return this.#detect(`http://${host}${path}`, html)
    }

    /**
     * Passes pages until their common texts are known.
     * @param pages more if each page has new content
     */
    seasoned(bodyOf: (i: number) => string = () => '', pages = 400): this {
      for (let i = 0; i < pages; i++) this.hasNewContent(`/x/${i}`, bodyOf(i))
      return this
    }
  }

  it('finds new content only in the first pages of a kind', () => {
    const reader = new Reader()
    const answers = Array.from({ length: 400 }, (_, i) => reader.hasNewContent(`/x/${i}`, ''))
    expect(answers.slice(0, 31)).not.toContain(false)
    expect(answers.slice(-50)).not.toContain(true)
  })

  it('judges each host separately', () => {
    const reader = new Reader().seasoned()
    expect(reader.hasNewContent('/', '')).toBe(false)
    expect(reader.hasNewContent('/', '', 'Library', 'b.test')).toBe(true)
    expect(reader.hasNewContent('/', '', 'Library', 'a.test:8080')).toBe(true)
  })

  it('finds new content in a page with one text of its own', () => {
    const reader = new Reader().seasoned()
    expect(reader.hasNewContent('/1', '<p>It was a dark and stormy night.</p>')).toBe(true)
    expect(reader.hasNewContent('/2', '<p>夜は短し歩けよ乙女</p>')).toBe(true)
    expect(reader.hasNewContent('/3', '', 'The Time Machine')).toBe(true)
  })

  it('finds new content in a page with an image of its own', () => {
    const reader = new Reader().seasoned((i) => `<img src=/p/${i}.jpg width=9>`, 1_100)
    expect(reader.hasNewContent('/1', '<img src=/p/1101.jpg width=9>')).toBe(true)
    expect(reader.hasNewContent('/1', '<video poster=/v/1.jpg></video>')).toBe(true)
    // The texts between images count only once a page's samples show nothing new.
    expect(reader.seasoned().hasNewContent('/1', '')).toBe(false)
  })

  const fresh: [what: string, (i: number) => string][] = [
    ['texts too short to be sampled', (i) => `<dt>${letters(i)}</dt><dd>a ${letters(7 * i)}</dd>`],
    ['lines of five Chinese characters', (i) => `<p>${hanzi(i)}</p><p>${hanzi(7 * i)}</p>`],
    [
      'the end of a long text',
      (i) => `<p>${'The same words again and '.repeat(4)}${letters(i)}</p>`,
    ],
    [
      'a text among many others',
      (i) =>
        SIXTY.map((text, at) => `<p>${at === 31 ? `All about ${letters(i)}` : text}</p>`).join(),
    ],
    ['a text after a script', (i) => `<SCRIPT>if (1</i) a()</SCRIPT><b>${letters(i)}</b>`],
    ['a text area', (i) => `<textarea>The source of ${letters(i)}</textarea>`],
    [
      'the end of a long tag',
      (i) => `<img class="${'wide '.repeat(20)}" src="/${letters(i)}.jpg">`,
    ],
    ['a frame', (i) => `<iframe src="https://video.test/${letters(i)}"></iframe>`],
    ['an image in a style', (i) => `<div style="background:url(/${letters(i)}.jpg)"></div>`],
    ['an image in SVG', (i) => `<svg><image href="/${letters(i)}.jpg"/></svg>`],
    ['an image of AMP', (i) => `<amp-img src="/${letters(i)}.jpg"></amp-img>`],
  ]
  it.each(fresh)('finds new content in pages that differ in %s', (_, bodyOf) => {
    const reader = new Reader().seasoned(bodyOf)
    expect(reader.hasNewContent('/y', bodyOf(777))).toBe(true)
  })

  const same: [what: string, (i: number) => string][] = [
    ['numbers', (i) => `<p>You are our visitor number ${i} of today</p>`],
    ['dates', (i) => `<p>Today is the 2026-11-${i}, at ${i}:${i} o'clock</p>`],
    ['dates in a language without spaces', (i) => `<p>今日は${i}年${i}月${i}日です。</p>`],
    ['ids', (i) => `<p>This is your own session: 7f${letters(i)}${i}a</p>`],
    ['links', (i) => `<a href=/${i}>See also the book on ${letters(i)}</a>`],
    ['short links', (i) => `<a href=/${i}><b>${letters(i)}</b></a>`],
    ['scripts', (i) => `<script>let nonce = '${letters(i)}'</script>`],
    ['comments', (i) => `<!-- <p>made by ${letters(i)}</p> -->`],
    ['tracking pixels', (i) => `<iframe src="https://t.test/?r=${letters(i)}"></iframe>`],
  ]
  it.each(same)('treats pages as the same if they differ in %s', (_, bodyOf) => {
    const reader = new Reader().seasoned(bodyOf)
    expect(reader.hasNewContent('/y', bodyOf(777))).toBe(false)
  })

  it('treats pages as the same if they differ only in echoed parts of their URL', () => {
    const echo = (path: string) => `<p>Sorry, there is no ${path} in here</p>`
    const reader = new Reader()
    for (let i = 0; i < 400; i++)
      reader.hasNewContent(`/x/${letters(i)}-z`, echo(`${letters(i)} Z`))
    expect(reader.hasNewContent('/x/some%20k%C3%B6nig', echo('Some könig'))).toBe(false)
    expect(reader.hasNewContent('/x/some', echo('other thing'))).toBe(true)
  })

  it('is not misled by common words that happen to be in a URL', () => {
    const reader = new Reader().seasoned()
    const names = 'welcome library town open days sunday closed month august'.split(' ')
    for (const name of names) expect(reader.hasNewContent(`/${name}`, '')).toBe(false)
  })

  it('shares its knowledge with others that use the same memory', () => {
    const memory = TextCountTable.allocate()
    new Reader(memory).seasoned()
    expect(new Reader(memory).hasNewContent('/', '')).toBe(false)
  })
})
