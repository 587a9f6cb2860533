import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WASM } from '../../../src/html/wasm-scanner/generated/checked.ts'
import { MAX_BODY } from '../../../src/html/wasm-scanner/layout/limits.ts'
import { PageScanner } from '../../../src/html/wasm-scanner/page-scanner.ts'
import { randomCases } from '../../support/soak.ts'
import { assetSoup, foreignSoup, headSoup, tagSoup } from '../reference-scanner/tag-soup.ts'
import { BothScanners } from './both-scans.ts'

const DEMO = fileURLToPath(new URL('../../../fixtures/site/', import.meta.url))
/** Number of pages of each kind. bench/fuzz.ts generates more. */
const RUNS = randomCases(1_000)

const plain = new BothScanners()
const withAssets = new BothScanners({ assets: true })

const charset = fc.constantFrom(
  ...[undefined, undefined, undefined, 'utf-8', 'windows-1252', 'gbk', 'shift_jis', 'koi8-r', 'no'],
)

/** Compares both scans of a page. Returns true if the module has scanned it. */
function compare(scanners: BothScanners, page: string | Buffer, label?: string): boolean {
  const body = Buffer.from(page)
  const found = scanners.byModule(body, label)
  if (found !== undefined) expect(found).toEqual(scanners.byReference(body, label))
  return found !== undefined
}

function agree(scanners: BothScanners, page: string | Buffer): void {
  expect(compare(scanners, page)).toBe(true)
}

describe('the page scanner', () => {
  it.each([
    ['tags', tagSoup],
    ['tags that name assets', assetSoup],
    ['tags of SVG and MathML', foreignSoup],
    ['tags of the head', headSoup],
  ])('finds the same as the reference in random %s', (_, soup) => {
    let scanned = 0
    const assert = (html: string, label: string | undefined) => {
      for (const scanners of [plain, withAssets]) scanned += Number(compare(scanners, html, label))
    }
    fc.assert(fc.property(soup, charset, assert), { numRuns: RUNS })
    expect(scanned).toBeGreaterThan(1.8 * RUNS)
  })

  it('finds the same as the reference in the pages of the demo', () => {
    const names = readdirSync(DEMO, { recursive: true, encoding: 'utf8' })
    const pages = names
      .filter((name) => name.endsWith('.html'))
      .map((name) => readFileSync(DEMO + name))
    expect(pages.length).toBeGreaterThan(10)
    for (const page of pages) for (const scanners of [plain, withAssets]) agree(scanners, page)
  })

  it('finds nothing of a previous, longer page', () => {
    const long = `<title>old</title><meta charset=gbk>${'<a href=old>'.repeat(100)}`
    for (const end of [
      '<a href="x',
      '<a href=x',
      '<a',
      '<',
      '</',
      '<!--',
      '<script>',
      'text',
      '',
    ]) {
      agree(plain, long)
      agree(plain, end)
    }
  })

  it.each([
    ['a byte order mark', '\ufeff<meta charset=gbk><title>é</title>'],
    ['a meta element', '<p><META charset="koi8-r"><title>\xc1</title>'],
    ['a content type', "<meta content='text/html; charset=gb2312' http-equiv=Content-Type>"],
    ['XML', '<?xml version="1.0" encoding="iso-8859-2"?><html>'],
    ['the usual meta element', '<meta CHARSET="UTF-8"><meta charset=gbk><title>é</title>'],
    [
      'the older meta element',
      '<meta http-equiv="content-type" content="text/html; charset=UTF-8"><meta charset=gbk>',
    ],
    ['a meta element with spaces', '<meta charset=" utf-8 "><meta charset=gbk>'],
    ['a meta element after one for another encoding', '<meta charset=gbk><meta charset=utf-8>'],
    ['a meta element after an unknown label', '<meta charset=none><meta charset=utf-8>'],
    ['a meta element for robots', '<meta charset=utf-8 name=robots content=noindex>'],
    ['a meta element in a script', '<script><meta charset=gbk></script>'],
    ['a meta element in a comment', '<!--><meta charset=gbk>--><meta charset=big5>'],
    ['a meta element after the first 1,024 bytes', `${'x'.repeat(1_010)}<meta charset=gbk>`],
    ['a meta element far down', `${'<p>'.repeat(1_000)}<meta charset=gbk><a href=é>`],
    [
      'a late meta element with an encoding that must not be decoded',
      `<a href=x>${' '.repeat(2_000)}<meta charset=hz-gb-2312>`,
    ],
    ['its bytes only', '<title>\xe4\xf6\xfc \x96 gr\xfc\xdfe</title>'],
  ])('finds the encoding of a page that declares it by %s', (_, page) => {
    agree(plain, Buffer.from(page, page.startsWith('\ufeff') ? 'utf8' : 'latin1'))
    // The encoding declared by one page doesn't affect the next one.
    agree(plain, '<script><meta charset=gbk></script>')
  })

  it('finds the same in a page around the end of the search for its encoding', () => {
    for (let length = 900; length < 1_200; length++)
      agree(plain, `${'x'.repeat(length)}<a href=y>z`)
  })

  it.each([
    ['of more bytes than fit', Buffer.alloc(MAX_BODY + 1, 'x')],
    ['in UTF-16', Buffer.from('<html><a href=x>', 'utf16le')],
    ['in ISO-2022-JP', Buffer.from('<meta charset=iso-2022-jp><a href=x>')],
    [
      'in ISO-2022-JP, as a late meta element declares',
      Buffer.from(`${'<p>'.repeat(999)}<meta charset=iso-2022-jp>`),
    ],
    ['with more tags in its head than fit', Buffer.from('<base href=x>'.repeat(2_000))],
  ])('leaves a page %s to the reference', (_, body) => {
    expect(plain.byModule(body)).toBeUndefined()
  })

  it('finds as many links and assets as the reference', () => {
    const few = new BothScanners({ assets: true, maxLinks: 5 })
    const links = '<a href=x><img src=y>'
    agree(few, links.repeat(9))
    agree(few, `${links}<meta http-equiv=refresh content="0;url=z">${links}`)
    expect(few.byModule(Buffer.from(links.repeat(9)))?.outlinks).toHaveLength(3)
  })

  it('leaves a page with too many possible links to the reference', () => {
    const few = new BothScanners({ assets: true, maxLinks: 5 })
    const scan = (html: string) => few.byModule(Buffer.from(html))
    expect(scan(`<meta http-equiv=refresh content=none>${'<a href=x>'.repeat(5)}`)).toBeUndefined()
    expect(scan('<img srcset="a, b, c, d, e, f">')).toBeUndefined()
    expect(scan('<img srcset="a, b">')?.assets).toEqual(['a', 'b'])
  })

  it('reads meta elements for crawlers with names of any length', () => {
    const agent = 'x'.repeat(100)
    const scanner = PageScanner.open({ agents: [agent] }, WASM)
    const body = Buffer.from(`<meta name=${agent} content=noindex><meta name=a content=nofollow>`)
    scanner.body(body.length)?.set(body)
    expect(scanner.scan(body.length)?.robots).toEqual([{ name: agent, content: 'noindex' }])
  })

  it('returns no links of a page that has been replaced by another', () => {
    const scan = plain.scan(Buffer.from('<title>x</title><a href=y>'))
    expect([...(scan?.outlinks ?? [])]).toHaveLength(1)
    plain.scanner.body(0)
    expect(() => [...(scan?.outlinks ?? [])]).toThrow('replaced')
    expect(scan?.title).toBe('x')
  })

  it('finds the same link texts as the reference', () => {
    const html = '<a href=x>one<img src=p></a><a href=y><img src=p alt=two></a><area href=z>three'
    const expected = [...plain.extract(Buffer.from(html)).page.outlinks.shown()]
    const scan = plain.scan(Buffer.from(html))
    expect([...(scan?.outlinks.shown() ?? [])]).toEqual(expected)
    expect(expected.map(({ text }) => text)).toEqual(['one', 'two', ''])
  })
})
