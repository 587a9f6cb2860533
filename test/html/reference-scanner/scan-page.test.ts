import { describe, expect, it } from 'vitest'
import { scanPage as extractPage } from '../../../src/html/reference-scanner/scan-page.ts'

const options = { maxLinks: 100 }

/** Extracts a page, with the links as a list. */
function extract(...parameters: Parameters<typeof extractPage>) {
  const { charset, page } = extractPage(...parameters)
  return { charset, page: { ...page, outlinks: [...page.outlinks] } }
}

/** One page in several encodings, with a link and a title that only the right decoder decodes. */
const TEXTS = [
  { charset: 'gbk', bytes: 'd6d0b9fac8cbc3f1', text: '中国人民' },
  { charset: 'gb18030', bytes: 'd6d0b9fa95328236', text: '中国\u{20000}' },
  { charset: 'big5', bytes: 'a4a4b5d8a5c1b0ea', text: '中華民國' },
  { charset: 'shift_jis', bytes: '83745c83418343', text: 'フ\\アイ' },
  { charset: 'euc-jp', bytes: 'c6fccbdcb8ec', text: '日本語' },
  { charset: 'euc-kr', bytes: 'c7d1b1b9bec6', text: '한국아' },
  { charset: 'windows-1251', bytes: 'd0eef1f1e8ff', text: 'Россия' },
  { charset: 'iso-2022-jp', bytes: '1b2442467c4b5c386c1b2842', text: '日本語' },
]

function pageOf(text: Buffer, head = ''): Buffer {
  const parts = [`${head}<title>`, text, '</title><a href="/', text, '?a&amp;b">'] as const
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

describe('extract', () => {
  it.each(TEXTS)('decodes links and title in $charset', ({ charset, bytes, text }) => {
    const encoded = Buffer.from(bytes, 'hex')
    const expected = { charset, page: { title: text, outlinks: [{ href: `/${text}?a&b` }] } }
    expect(extract(pageOf(encoded), charset, options)).toMatchObject(expected)
    expect(extract(pageOf(encoded, `<meta charset=${charset}>`), undefined, options)).toMatchObject(
      expected,
    )
    const late = `${' '.repeat(2_000)}<meta charset=${charset}>`
    expect(extract(pageOf(encoded, late), undefined, options)).toMatchObject(expected)
  })

  it.each(['utf-16le', 'utf-16be'])('decodes links and title in %s', (charset) => {
    const html = '<title>中a</title><a href="/中?a&amp;b">link to the page</a>'
    const body = Buffer.from(html, 'utf16le')
    if (charset === 'utf-16be') body.swap16()
    const expected = { charset, page: { title: '中a', outlinks: [{ href: '/中?a&b' }] } }
    expect(extract(body, charset, options)).toMatchObject(expected)
    expect(extract(body, undefined, options)).toMatchObject(expected)
    const bom = Buffer.from(charset === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff])
    expect(extract(Buffer.concat([bom, body]), 'utf-8', options)).toMatchObject(expected)
  })

  it("doesn't swallow a delimiter after a truncated character", () => {
    const body = Buffer.from('<a href="\x81"><a href=\xe4><a href=2>', 'latin1')
    for (const charset of ['shift_jis', 'gb18030', 'big5', 'euc-jp', 'euc-kr', 'utf-8']) {
      const { outlinks } = extract(body, charset, options).page
      expect(outlinks).toHaveLength(3)
      expect(outlinks[2]?.href).toBe('2')
    }
  })

  it('finds nothing in an encoding that must not be decoded', () => {
    const body = Buffer.from('<title>x</title><a href=1>')
    expect(extract(body, 'iso-2022-kr', options)).toEqual({
      charset: 'replacement',
      page: { outlinks: [], assets: [], robots: [] },
    })
  })
})
