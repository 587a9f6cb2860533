import { describe, expect, it } from 'vitest'
import { rewriteForOffline } from '../../src/mirror/rewrite-links.ts'

const FILES: Readonly<Record<string, string>> = {
  'http://a/b/c': 'a/b/c.html',
  'http://a/d?e=1': "a/d@e=1 'f'.html",
  'http://a/b/%E4%B8%AD': 'a/b/中.html',
}

function offline(body: Buffer | string, type = 'text/html', charset?: string): Buffer {
  const page = { url: 'http://a/b/page', file: 'a/b/page.html', type, charset }
  return rewriteForOffline(page, Buffer.from(body), (url) => FILES[url])
}

/** Returns the rewritten link of a page that declares its encoding. */
function link(href: string, base = ''): string {
  const page = offline(`<meta charset=utf-8>${base}<a href="${href}">`).toString()
  return /<a href="(.*)">/.exec(page)?.[1] ?? ''
}

describe('a saved page', () => {
  it.each([
    ['c', 'c.html'],
    ['/b/c#d&amp;e', 'c.html#d&#x26;e'],
    ['http://a/d?e=1#f', '../d%40e%3D1%20%27f%27.html#f'],
    ['中', '%E4%B8%AD.html'],
    ['other', 'http://a/b/other'],
    ['//x/y?z#%20', 'http://x/y?z#%20'],
    ['https://user:pass@x/y', 'https://user:pass@x/y'],
    ['mailto:x@y', 'mailto:x@y'],
    ['javascript:x()', 'javascript:x()'],
    ['http://[', 'http://['],
    ['#c', '#c'],
  ])('has %s rewritten to %s', (href, expected) => {
    expect(link(href)).toBe(expected)
  })

  it('resolves links by its base element, also fragments', () => {
    const base = '<base href="/b/c">'
    expect([link('#d', base), link('c', base), link('/x', base)]).toEqual([
      'c.html#d',
      'c.html',
      'http://a/x',
    ])
  })

  it('refers to its own parts with a base, too', () => {
    const parts = '<svg><use href="#a"/><p style="fill:url(#b)"><style>p{mask:url(#c)}</style>'
    const page = offline(`<meta charset=utf-8><base href="/b/c">${parts}`).toString()
    expect(page).toBe(`<meta charset=utf-8><base href="">${parts}`)
  })

  it('keeps its encoding, and its links are decoded from that', () => {
    const text = Buffer.from([0xa4, 0xa4]) // 中 in Big5
    const before = Buffer.concat([Buffer.from('<a href="'), text, Buffer.from('">'), text])
    const after = Buffer.concat([
      Buffer.from('<meta charset="big5"><a href="%E4%B8%AD.html">'),
      text,
    ])
    expect(offline(before, 'text/html', 'big5')).toEqual(after)
  })

  it('keeps its byte order mark at the start, where browsers expect it', () => {
    const after = '\uFEFF<meta charset="utf-8"><a href="c.html">'
    expect(offline('\uFEFF<a href="c">', 'text/html', 'utf-8').toString()).toBe(after)
  })

  it("becomes UTF-8 if its encoding isn't based on ASCII", () => {
    const html = '<a href="c">中'
    const after = '<meta charset="utf-8"><a href="c.html">中'
    const before = Buffer.from(`\uFEFF${html}`, 'utf16le')
    expect(offline(before, 'text/html', 'utf-16le').toString()).toBe(after)
  })

  it.each([
    ['windows-1252', Buffer.from('a{b:url(\xfc);c:"\xe9"}', 'latin1')],
    ['utf-16le', Buffer.from('\uFEFFa{b:url(ü);c:"é"}', 'utf16le')],
  ])('becomes UTF-8 with a byte order mark if it is a style sheet in %s', (charset, css) => {
    expect(offline(css, 'text/css', charset).toString()).toBe(
      '\uFEFFa{b:url("http://a/b/%C3%BC");c:"é"}',
    )
  })

  it('becomes UTF-8 if it is XHTML that does not declare its encoding', () => {
    const offlineXhtml = (text: string) =>
      offline(Buffer.from(text, 'latin1'), 'application/xhtml+xml', 'windows-1252').toString(
        'latin1',
      )
    expect(offlineXhtml('<a href="c">\xe9</a>')).toBe('<a href="c.html">\xc3\xa9</a>')
    const xml = '<?xml version="1.0" encoding="iso-8859-1"?>'
    expect(offlineXhtml(`${xml}<a href="c">\xe9</a>`)).toBe(`${xml}<a href="c.html">\xe9</a>`)
  })

  it.each(['', ' encoding="UTF-16"', " encoding = 'utf-16'"])(
    'becomes UTF-8 if it is XHTML in UTF-16, with the declaration %j',
    (declaration) => {
      const xml = (encoding: string) => `<?xml version="1.0"${encoding}?>`
      const before = Buffer.from(`\uFEFF${xml(declaration)}<a href="c">é</a>`, 'utf16le')
      expect(offline(before, 'application/xhtml+xml', 'utf-16le').toString()).toBe(
        `${xml('')}<a href="c.html">é</a>`,
      )
    },
  )

  it('has the queries of a style sheet in UTF-8', () => {
    expect(
      offline(Buffer.from('a{b:url(?\xe9)}', 'latin1'), 'text/css', 'windows-1252').toString(),
    ).toBe('\uFEFFa{b:url("http://a/b/page?%C3%A9")}')
  })

  it('may be a style sheet, or XML', () => {
    expect(offline('p { background: url(中) }', 'text/css').toString()).toBe(
      'p { background: url("%E4%B8%AD.html") }',
    )
    expect(offline('<?xml version="1.0"?><a href="c"/>', 'image/svg+xml').toString()).toBe(
      '<?xml version="1.0"?><a href="c.html"/>',
    )
  })
})
