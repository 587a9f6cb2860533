import { describe, expect, it } from 'vitest'
import type { SitemapEntry } from '../../../../src/fetch-worker/parse/sitemap/sitemap-entry.ts'
import { XmlReader } from '../../../../src/fetch-worker/parse/sitemap/xml-reader.ts'

function read(...texts: string[]) {
  const entries: SitemapEntry[] = []
  const reader = new XmlReader((entry) => entries.push(entry), 'http://h/a/feed.xml')
  for (const text of texts) reader.write(text)
  reader.end()
  const hrefs = entries.map(({ href }) => href)
  return { isSitemap: reader.isSitemap, hrefs, entries, isDone: reader.isDone }
}

const urlset = (urls: string) => `<?xml version="1.0"?>\n<urlset xmlns="x">${urls}</urlset>`
const hrefsOf = (urls: string) => read(urlset(urls)).hrefs

describe('XmlReader', () => {
  it('reads the pages of a urlset', () => {
    const xml = urlset(`
      <url><loc>http://h/1</loc><lastmod>2025-01-01</lastmod></url>
      <url><priority>0.5</priority><loc>http://h/2</loc></url>`)
    expect(read(xml)).toMatchObject({
      isSitemap: true,
      hrefs: ['http://h/1', 'http://h/2'],
      isDone: false,
    })
  })

  it('reads on after a declaration or an instruction without a question mark at its end', () => {
    const page = '<urlset><url><loc>http://h/1</loc></url></urlset>'
    expect(read(`<?xml version="1.0"><?xml-stylesheet href="a.xsl">${page}`).hrefs).toEqual([
      'http://h/1',
    ])
  })

  it('reads the sitemaps of a sitemapindex', () => {
    const xml = '<sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>'
    expect(read(xml)).toMatchObject({ isSitemap: true, hrefs: ['/a.xml'] })
  })

  it('reads the sitemaps of an index without loc elements', () => {
    const xml = '<sitemapindex><sitemap>\nhttp://h/a?b&amp;c\n</sitemap></sitemapindex>'
    expect(read(xml).hrefs).toEqual(['http://h/a?b&c'])
  })

  it('reads the items of RSS 2.0, not the link of the channel or of an image', () => {
    const xml = `<rss version="2.0"><channel><link>http://h/</link>
      <atom:link href="http://h/feed" rel="self"/>
      <image><link>http://h/i</link></image>
      <item><title>a</title><link>http://h/1</link><guid>http://h/g</guid>
        <atom:link href="http://h/r" rel="replies"/></item>
      <item><link><![CDATA[ http://h/2?a&b ]]></link></item></channel></rss>`
    expect(read(xml)).toMatchObject({ isSitemap: true, hrefs: ['http://h/1', 'http://h/2?a&b'] })
  })

  it('reads the permanent link of an item without a link', () => {
    const xml = `<rss><channel>
      <item><guid>http://h/1</guid><title>a</title></item>
      <item><guid isPermaLink="true"> http://h/2 </guid></item>
      <item><guid isPermaLink="false">http://h/3</guid></item>
      <item><guid>4</guid></item>
      <item><link>http://h/5</link><guid>http://h/g</guid></item>
      <item><guid>http://h/g</guid><link>http://h/6</link></item>
      <item><link/><guid>http://h/7</guid></item></channel></rss>`
    const paths = ['1', '2', '5', '6', '7']
    expect(read(xml).hrefs).toEqual(paths.map((path) => `http://h/${path}`))
  })

  it('resolves URLs where xml:base applies', () => {
    const xml = `<feed xml:base="http://b/x/"><entry><link href="1"/><link xml:base="y/" href="2"/></entry>
      <entry xml:base="/z/"><link href="3?a&amp;b"/><link href="http://c/4"/></entry></feed>`
    const hrefs = ['http://b/x/1', 'http://b/x/y/2', 'http://b/z/3?a&b', 'http://c/4']
    expect(read(xml).hrefs).toEqual(hrefs)
  })

  it('resolves a relative xml:base against the URL of the file', () => {
    const xml = `<rss><channel xml:base="b/"><item><link>1</link></item></channel>
      <item><link>2</link></item><item xml:base="http://[/"><link>3</link></item></rss>`
    expect(read(xml).hrefs).toEqual(['http://h/a/b/1', '2', '3'])
  })

  it('ignores an xml:base that nested elements make longer than 2,000 characters', () => {
    const nested = `<g xml:base="${'x'.repeat(900)}/">`.repeat(3)
    const { hrefs } = read(`<feed>${nested}<entry><link href="1"/></entry></feed>`)
    expect(hrefs).toEqual([`http://h/a/${`${'x'.repeat(900)}/`.repeat(2)}1`])
  })

  it('takes at most 10,000 bases from a file', () => {
    const entries = '<entry xml:base="http://b/"><link href="1"/></entry>'.repeat(10_001)
    const { hrefs } = read(`<feed>${entries}</feed>`)
    expect(hrefs.slice(-2)).toEqual(['http://b/1', '1'])
  })

  it('reads the items of RSS 1.0', () => {
    const xml = `<rdf:RDF><channel><link>http://h/</link></channel>
      <item rdf:about="http://h/1"><link>http://h/1</link></item></rdf:RDF>`
    expect(read(xml)).toMatchObject({ isSitemap: true, hrefs: ['http://h/1'] })
  })

  it('reads the alternates of Atom entries, and links without a relation', () => {
    const xml = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://h/"/>
      <entry><link rel="self" href="/self"/><link rel="alternate" href="/1"/>
        <link href='/2'></link><link rel="enclosure" href="/e"/>
        <source><link href="/s"/></source></entry></feed>`
    expect(read(xml)).toMatchObject({ isSitemap: true, hrefs: ['/1', '/2'] })
  })

  it.each([
    [
      'pages and their alternates',
      `<urlset><url><loc>/1</loc><x:link rel="alternate" href="/2"/><lastmod> 2026-11-30 </lastmod></url>
        <url><lastmod>2025</lastmod><loc>/3</loc><n:news><n:lastmod>1999</n:lastmod></n:news></url>
        <url><loc>/4</loc></url></urlset>`,
      [
        ...[
          { href: '/1', modified: '2026-11-30' },
          { href: '/2', modified: '2026-11-30' },
        ],
        ...[{ href: '/3', modified: '2025' }, { href: '/4' }],
      ],
    ],
    [
      'sitemaps, with an end tag missing',
      '<sitemapindex><sitemap><loc>/1</loc><lastmod>2025</lastmod><sitemap><loc>/2</loc></sitemap>',
      [{ href: '/1', modified: '2025' }, { href: '/2' }],
    ],
    [
      'entries of Atom',
      '<feed><updated>2026</updated><entry><link href="/1"/><updated>2025</updated></entry></feed>',
      [{ href: '/1', modified: '2025' }],
    ],
    [
      'items of RSS',
      `<rss><channel><item><link>/1</link><pubDate>Mon, 30 Nov 2026 08:00:00 GMT</pubDate></item>
        <item><guid>http://h/2</guid><dc:date>2025</dc:date></item></channel></rss>`,
      [
        { href: '/1', modified: 'Mon, 30 Nov 2026 08:00:00 GMT' },
        { href: 'http://h/2', modified: '2025' },
      ],
    ],
  ])('reads when they were modified: %s', (_, xml, entries) => {
    expect(read(xml).entries).toEqual(entries)
  })

  it('keeps no more than 1,000 URLs of an entry until its time is known', () => {
    const entries: SitemapEntry[] = []
    const reader = new XmlReader((entry) => entries.push(entry), 'http://h/')
    reader.write(`<urlset><url>${'<link href="/1"/>'.repeat(1_500)}`)
    expect(entries).toHaveLength(1_000)
    reader.write('<lastmod>2025</lastmod></url>')
    expect(entries).toHaveLength(1_500)
  })

  it.each([
    ['prefixes', '<sm:url><sm:loc>/1</sm:loc></sm:url>', ['/1']],
    ['capital letters', '<URL><Loc>/1</Loc></URL>', ['/1']],
    ['white space', '<url ><loc\n>\n\t /1 \r\n</loc ></url>', ['/1']],
    ['CDATA', '<url><loc><![CDATA[/1?a&b=<c>]]></loc></url>', ['/1?a&b=<c>']],
    ['entities', '<url><loc>/1?a&amp;b=&apos;&quot;&#39;&#x27;</loc></url>', [`/1?a&b='"''`]],
    ['bare ampersands', '<url><loc>/1?a=1&b=2&lt=3&copy=4</loc></url>', ['/1?a=1&b=2&lt=3&copy=4']],
    ['unknown entities', '<url><loc>/1&eacute;</loc></url>', ['/1&eacute;']],
    ['comments', '<!-- <url><loc>/0</loc></url> --><url><loc>/<!-- x -->1</loc></url>', ['/1']],
    ['instructions', '<?x y="<loc" ?><url><loc>/1</loc><?z?></url>', ['/1']],
    ['pages without a url element', '<loc>/1</loc><loc>/2</loc>', ['/1', '/2']],
    ['sitemaps in a urlset', '<sitemap><loc>/1</loc></sitemap>', ['/1']],
    [
      'a missing loc',
      '<url>\nhttp://h/1?a&amp;b\n</url><url>2<loc>/3</loc>4</url>',
      ['http://h/1?a&b', '/3'],
    ],
    ['empty elements', '<url><loc/></url><url><loc> </loc></url><url></url>', []],
    ['missing end tags', '<url><loc>/1<lastmod>x</lastmod><url><loc>/2</loc>', ['/1', '/2']],
    ['wrong end tags', '<url><loc>/1</log></url></x><url><loc>/2</loc></url>', ['/1', '/2']],
    ['attributes', '<url a="</loc>" b><loc c=">">/1</loc></url>', ['/1']],
    ['images and videos', '<url><image:image><image:loc>/i</image:loc></image:image></url>', []],
    [
      'alternates in other languages',
      '<url><loc>/1</loc><xhtml:link rel="alternate" hreflang="de" href="/de?a&amp;b"/></url>',
      ['/1', '/de?a&b'],
    ],
    ['other links', '<url><xhtml:link rel="amphtml" href="/a"/></url>', []],
    ['links that are not closed', '<url><xhtml:link href="/a"><loc>/1</loc></url>', ['/a']],
  ])('handles %s', (_, urls, hrefs) => {
    expect(hrefsOf(urls)).toEqual(hrefs)
  })

  it('reads the same from any pieces of the text', () => {
    const xml = urlset(
      `<!DOCTYPE x [<!ENTITY y "z">]><!-- a --><s:url><s:loc> /1?a&amp;b </s:loc><x:link rel="alternate"
      href="/2&#38;c"/></s:url><url><loc><![CDATA[/3]]></loc></url>`,
    )
    expect(read(xml).hrefs).toEqual(['/1?a&b', '/2&c', '/3'])
    expect(read(...xml).hrefs).toEqual(read(xml).hrefs)
    for (let at = 1; at < xml.length; at++) {
      expect(read(xml.slice(0, at), xml.slice(at)).hrefs).toEqual(read(xml).hrefs)
    }
  })

  it('reports no truncated URL at the end of the file', () => {
    expect(hrefsOf('<url><loc>/1</loc></url>').length).toBe(1)
    expect(read('<urlset><url><loc>/1</loc></url><url><loc>http://h/ha').hrefs).toEqual(['/1'])
    expect(read('<urlset><url><loc>/1</loc><link href="http://h/ha').hrefs).toEqual(['/1'])
  })

  it('finds the root after an error message of the server', () => {
    expect(read(`<br />\n<b>Warning</b>: x\n${urlset('<url><loc>/1</loc></url>')}`).hrefs).toEqual([
      '/1',
    ])
  })

  it('finds nothing in an HTML page', () => {
    const html = '<!DOCTYPE html><html><rss><item><link>/1</link></item></rss></html>'
    expect(read(html)).toMatchObject({ isSitemap: false, hrefs: [], isDone: true })
  })

  it('finds nothing without a known root element', () => {
    expect(read('<urls><url><loc>/1</loc></url></urls>')).toMatchObject({
      isSitemap: false,
      hrefs: [],
    })
  })

  it('skips values longer than any URL', () => {
    const long = `<url><loc>/${'x'.repeat(8_000)}</loc></url>`
    expect(hrefsOf(`${long}<url><loc>/${'x'.repeat(7_999)}</loc></url>`)).toHaveLength(1)
  })

  it('stops if elements are nested more deeply than in any sitemap', () => {
    const { hrefs, isDone } = read(urlset(`<url><loc>/1</loc></url>${'<a>'.repeat(200)}`))
    expect({ hrefs, isDone }).toEqual({ hrefs: ['/1'], isDone: true })
  })
})
