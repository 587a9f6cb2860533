import { describe, expect, it } from 'vitest'
import { openPageData } from '../../src/page-data/extract-page-data.ts'
import { fieldsOf } from '../../src/page-data/field.ts'
import { FieldMatches } from '../../src/page-data/field-matches.ts'
import { selectFields } from '../../src/page-data/select-fields.ts'
import { TextBudget } from '../../src/page-data/text-budget.ts'
import { chosen } from '../support/soak.ts'

const NOTHING = { extract: {}, text: false, markdown: false }

async function taken(
  html: string,
  wishes: Partial<typeof NOTHING> & { content?: string },
  maxMs = 60_000,
) {
  const pageData = await openPageData({ ...NOTHING, ...wishes }, maxMs)
  return pageData?.({ html, base: 'http://a.example/b/c' })
}

describe('fields', () => {
  const select = async (html: string, extract: Record<string, string>) =>
    (await taken(html, { extract }))?.data

  it('are texts with collapsed white space, or unchanged attributes', async () => {
    const html = '<h1> The <b>orb</b>\n web </h1><h1>2</h1><i class=p data-x=" 1,50 ">1.5'
    expect(await select(html, { h: 'h1', price: 'i.p@data-x' })).toEqual({
      h: 'The orb web',
      price: ' 1,50 ',
    })
  })

  it('have white space at line breaks, cells and block edges, and none at inline elements', async () => {
    const html = `<p class=addr>Main St 1<br>12345 Town</p><table><tr><th>A<td>1<tr><th><b>B</b>b<td>2</table>
      <div>a<p>b</p>c<ul><li>d<li>e</ul><span>f</span><i>g</i><!-- no -->h</div><select><option>1<option>2</select>`
    const extract = { addr: '.addr', table: 'table', row: 'tr', div: 'div', select: 'select' }
    expect(await select(html, extract)).toEqual({
      addr: 'Main St 1 12345 Town',
      table: 'A 1 Bb 2',
      row: 'A 1',
      div: 'a b c d e fgh',
      select: '1 2',
    })
  })

  it('leave out hidden elements such as scripts, but not one that is selected', async () => {
    const html = `<title>t</title><p>a<script>var x=1</script>b<style>p{}</style><noscript><i>c</i></noscript></p>
      <script type="application/ld+json">{"a": 1}</script><svg><style>p{}</style><text>d</text></svg>`
    const extract = {
      html: 'html',
      p: 'p',
      svg: 'svg',
      t: 'title',
      json: 'script[type]',
      css: 'style',
    }
    expect(await select(html, extract)).toEqual({
      ...{ html: 'ab d', p: 'ab', svg: 'd', t: 't', json: '{"a": 1}', css: 'p{}' },
    })
  })

  it('are absent if nothing matches, or an empty list if a list was requested', async () => {
    expect(await select('<p>', { a: 'h1', b: 'p@id', 'c[]': 'li', 'd[]': 'p@id' })).toEqual({
      c: [],
      d: [],
    })
  })

  it("have absolute URLs, and anything that isn't a URL unchanged", async () => {
    const html = '<a href="../x?q#f">x</a><a href=mailto:a@b.c></a><a href="http://[">'
    const data = await select(`${html}<img src="//b.example/i.png">`, {
      'links[]': 'a@href',
      image: 'img@src',
    })
    expect(data).toEqual({
      links: ['http://a.example/x?q#f', 'mailto:a@b.c', 'http://['],
      image: 'http://b.example/i.png',
    })
  })

  it('may be attributes of SVG with capitals or a prefix', async () => {
    const html = '<svg viewBox="0 0 1 1"><use xlink:href="#a"/></svg><p viewBox=x>'
    const fields = {
      box: 'svg@viewBox',
      use: 'use@xlink:href',
      p: 'p@viewBox',
      no: 'svg@xlink:href',
    }
    expect(await select(html, fields)).toEqual({ box: '0 0 1 1', use: '#a', p: 'x' })
  })

  it('match the tree that browsers build', async () => {
    const html = '<table><tr><td>1</table><p>a<p>b'
    const fields = { cell: 'table > tbody > tr > td', p: 'body > p:nth-of-type(2)' }
    expect(await select(html, fields)).toEqual({ cell: '1', p: 'b' })
  })

  it('ignore the content of templates, as in browsers', async () => {
    const html = `<template><h1>No</h1><template><li>no</li></template></template><h1>Yes</h1>
      <ul><template><li>no</li></template><li>1<template> no</template></li><li>2</li></ul>
      <table><template><tr><td>no</td></tr></template><tr><td>3</td></tr></table>`
    const fields = { h: 'h1', 'items[]': 'li', 'cells[]': 'td', 'in[]': 'template *' }
    const expected = { h: 'Yes', items: ['1', '2'], cells: ['3'], in: [] }
    expect(await select(html, { ...fields, 'groups[]': 'ul{items[]=li}' })).toEqual({
      ...expected,
      groups: [{ items: ['1', '2'] }],
    })
  })

  it('can be grouped by the element that contains them', async () => {
    const html = `<div class=item><a href=/mug title=x>Mug</a><i>1</i><i>2</i></div>
      <div class=item><b>Plate</b><a href=/plate></a></div><i>3</i>`
    const fields = {
      'items[]': '.item{name=a, b, prices[]=i, link=a@href, class=@class}',
      item: '.item{price=i}',
    }
    expect(await select(html, fields)).toEqual({
      items: [
        { name: 'Mug', prices: ['1', '2'], link: 'http://a.example/mug', class: 'item' },
        { name: 'Plate', prices: [], link: 'http://a.example/plate', class: 'item' },
      ],
      item: { price: '1' },
    })
  })

  it('count pages that have several matches for one value, and list fields without a value', async () => {
    const none = { 'none[]': '.none', attribute: 'h1@id', 'ids[]': 'i@id' }
    const fields = { one: 'h1', 'all[]': 'i', first: 'i', 'items[]': 'p{x=i}', ...none }
    const counts = new FieldMatches(fieldsOf(fields))
    expect(counts.unmatched).toEqual([])
    const pageData = await openPageData({
      ...{ ...NOTHING, extract: fields, fieldMatches: counts.memory },
    })
    for (const html of ['<h1>x</h1><i>1</i><i>2</i><p><i>3', '<i>1</i><i>2</i>', '<i>1'])
      pageData?.({ html, base: 'http://a.example/' })
    expect(counts.several).toEqual({ first: 2 })
    expect(counts.unmatched).toEqual(['none', 'attribute', 'ids'])
  })

  it('have a limited number of nested values, even empty ones', () => {
    const budget = new TextBudget(9)
    const html = '<p><i></i><i></i><i></i></p>'.repeat(5)
    const values = selectFields(html, fieldsOf({ 'p[]': 'p{i[]=i}' }), 'http://a.example/', budget)
    expect(values).toEqual({ p: Array.from({ length: 3 }, () => ({ i: ['', '', ''] })) })
    expect(budget.isExceeded).toBe(true)
  })

  it('have a limited number of elements, and are then marked as truncated', async () => {
    const many = await taken('<i>x</i>'.repeat(10_001), { extract: { 'i[]': 'i' } })
    expect(many).toMatchObject({ dataTruncated: true })
    expect(many?.data?.['i']).toHaveLength(10_000)
    const p = 'x'.repeat(700_000)
    const long = await taken(`<p>${p}`, { extract: { p: 'p', q: 'p' } })
    const q = p.slice(0, 2 ** 20 - 700_000)
    expect(long).toEqual({ data: { p, q }, dataTruncated: true })
  })

  it('are searched for in the first 2^20 characters', async () => {
    const page = await taken(`${'x'.repeat(2 ** 20)}<i>late</i>`, { extract: { i: 'i' } })
    expect(page).toEqual({ data: {}, dataTruncated: true })
  })
})

it('data that is cut ends with a whole character', async () => {
  const page = await taken(`<p>${'x'.repeat(2 ** 20 - 4)}😀`, { extract: { p: 'p' } })
  expect(page).toEqual({ data: { p: 'x'.repeat(2 ** 20 - 4) }, dataTruncated: true })
  const budget = new TextBudget(3)
  expect(budget.take('ab😀')).toBe('ab')
  expect(budget.isExceeded).toBe(true)
})

const ARTICLE = `<!doctype html><title>T</title><nav><a href=/>Home</a></nav><script>bad()</script>
<h1>Orb webs</h1><p>A <a href="../hub">hub</a> &amp; <em>radii</em>.<ul><li>one<li>two</ul>
<style>p {}</style><img src=w.png alt="A web">`

describe('the text of a page', () => {
  it('has what a reader sees, in lines', async () => {
    expect((await taken(ARTICLE, { text: true }))?.data).toEqual({
      text: 'Orb webs\n\nA hub & radii.\n\n * one\n * two',
    })
  })

  it('has one empty line around headings, and no carriage returns', async () => {
    const html = '<h1>Web</h1>\r\n<p>a</p>\r\n<pre>b\r\nc</pre>\r\n<h2>Hub</h2>\r\n<h3>Radius</h3>d'
    expect((await taken(html, { text: true }))?.data).toEqual({
      text: 'Web\n\na\n\nb\nc\n\nHub\n\nRadius\n\nd',
    })
  })
})

it.each([
  ['<table><tr><th>A</th><td>1</td></tr><tr><td><b>2</b>3</td></tr></table>', 'A 1\n23'],
  ['<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>', 'a b'],
  ['<table>\n<tr>\n<td> a </td>\n<td>b</td>\n</tr></table>\n', 'a b'],
  ['x<dl><dt>t</dt><dd>d</dd></dl><select><option>1<option>2</select>', 'x\nt\nd\n1 2'],
  ['<H2 id=x>a</h3>b<h1>c</h1>d</h2>e', 'a\n\nb\n\nc\n\nde'],
])('the text of %s has white space between cells and the like', async (html, text) => {
  expect((await taken(html, { text: true }))?.data).toEqual({ text })
})

it.each([
  ['<html><head><title>T</title></head><body><p>a</p></body><p>b</p></html>', 'a\n\nb'],
  ['<p>a</p><body><p>b</p></body>', 'a\n\nb'],
  ['<body><p>a</p></body><body><p>b</p></body>', 'a\n\nb'],
])('the text of %s has all that browsers show', async (html, text) => {
  expect((await taken(html, { text: true }))?.data).toEqual({ text })
})

describe('the Markdown of a page', () => {
  it('keeps headings, lists and links, which become absolute', async () => {
    expect((await taken(ARTICLE, { markdown: true }))?.data?.['markdown']).toBe(
      [
        '# Orb webs',
        'A [hub](http://a.example/hub) & _radii_.',
        '*   one\n*   two',
        '![A web](http://a.example/b/w.png)',
      ].join('\n\n'),
    )
  })
})

it('a page shows no text for browsers that can play no audio and video', async () => {
  const media = '<video src=v><p>Update your browser.</video><audio src=a>No <b>audio</b></audio>'
  const wishes = { text: true, markdown: true, extract: { p: 'body > p', audio: 'audio' } }
  expect(await taken(`<p>a ${media.replaceAll('<p>', '')}b`, wishes)).toEqual({
    data: { text: 'a b', markdown: 'a b', p: 'a b', audio: 'No audio' },
  })
})

it('the text of a page keeps words that a zero-width space allows to break', async () => {
  const html = '<p><code>add&#8203;(E&nbsp;e)</code> returns void'
  expect((await taken(html, { text: true }))?.data).toEqual({
    text: 'add\u200b(E\xa0e) returns void',
  })
})

it.each([
  ['<pre>a_b\n  *c</pre>', '```\na_b\n  *c\n```'],
  ['<pre><span></span><span class=k>a</span>\n</pre>', '```\na\n```'],
  ['<pre><code class="x language-js">a</code>\n<code>b</code><br>c</pre>', '```js\na\nb\nc\n```'],
  ['<pre>```` x</pre>', '`````\n```` x\n`````'],
  ['<pre class=programlisting>a <a href=/x>x</a></pre>', '```\na x\n```'],
  ['<pre>see <a href=/x>x</a></pre>', 'see [x](http://a.example/x)'],
  [
    '<pre>a\n  # b\n- c\n\n\t d <a href=/x>x</a>\n===</pre>',
    'a  \n  \\# b  \n\\- c\n\n\u00a0\u00a0\u00a0\u00a0\u00a0d [x](http://a.example/x)  \n\\===',
  ],
  [
    '<pre><a href=/x>x</a>\n<h2>y</h2>\n<pre>    z\n    z</pre></pre>',
    '[x](http://a.example/x)\n\n## y\n\n```\n    z\n    z\n```',
  ],
])('the Markdown of %s has code in fences, and its links otherwise', async (html, markdown) => {
  expect((await taken(html, { markdown: true }))?.data).toEqual({ markdown })
})

it.each([
  [
    'Vec&lt;T&gt; &lt; &lt;/b&gt; &lt;!-- 1 &amp;lt; &amp; <code>&lt;T&gt;</code>',
    'Vec\\<T> < \\</b> \\<!-- 1 \\&lt; & `<T>`',
  ],
  ['<p>1) a (2) b', '1\\) a (2) b'],
  ['<p>1.<p>a<br>#<br>##<br>#1', '1\\.\n\na  \n\\#  \n\\##  \n#1'],
  ['<h2>a b ##</h2>', '## a b \\##'],
  ['<p>~~a~~ 1~2 3~4 ~/x', '\\~\\~a\\~\\~ 1\\~2 3\\~4 ~/x'],
  ['<p>!<a href=/x>Send</a>', '\\![Send](http://a.example/x)'],
  ['<code>a_b: <a href=/x>Vec</a>&lt;T&gt;</code>', 'a_b: [Vec](http://a.example/x)\\<T>'],
])('the Markdown of %s shows the same text', async (html, markdown) => {
  expect((await taken(html, { markdown: true }))?.data).toEqual({ markdown })
})

it.each([
  ['<a href=/x><h2>t</h2><p>d</p></a>', '[t d](http://a.example/x)'],
  [
    '<ul><li><a href=/x><div><img src=/i></div>1. t<br>u</a></ul>',
    '*   [![](http://a.example/i) 1\\. t u](http://a.example/x)',
  ],
  ['<h1>A<br>B</h1><h2><p># x</p></h2>', '# A B\n\n## \\# x'],
  ['<a name=x><h2>t</h2></a>', '## t'],
  ['<a href=/x><ul><li><h3>t</h3><li>u</ul></a>', '[t u](http://a.example/x)'],
])('the Markdown of %s has links and headings in one line', async (html, markdown) => {
  expect((await taken(html, { markdown: true }))?.data).toEqual({ markdown })
})

it.each([
  [
    '<head><title>T</title></head><frameset cols=50%><frame src=a><noframes>none</noframes></frameset>',
    'none',
  ],
  ['<p>a</p><FRAMESET><frame src=a></FRAMESET>', 'a'],
])('the Markdown of %s can be extracted', async (html, markdown) => {
  expect(await taken(html, { markdown: true, extract: { h: 'h1' } })).toEqual({
    data: { markdown },
  })
})

describe('the content of a page', () => {
  const page = `<title>T</title><header>Menu</header><article><h1>Orb</h1>
    <nav>no</nav><p>A <a href="../hub">hub</a> &amp; &lt;b></article><article>More</article><footer>©</footer>`

  it('is the first element that a selector matches, for the text and the Markdown, but not for fields', async () => {
    const wishes = { text: true, markdown: true, extract: { end: 'footer' } }
    expect((await taken(page, { ...wishes, content: 'main, article' }))?.data).toEqual({
      text: 'Orb\n\nA hub & <b>',
      markdown: '# Orb\n\nA [hub](http://a.example/hub) & \\<b>',
      end: '©',
    })
  })

  it('keeps the cells of a row apart', async () => {
    const wishes = { text: true, markdown: true, content: 'tr' }
    const row = { text: 'a b', markdown: 'a\n\nb' }
    expect((await taken('<table><tr><td>a<td>b</table>', wishes))?.data).toEqual(row)
  })

  it('is missing without such an element', async () => {
    const wishes = { text: true, markdown: true, content: 'main' }
    expect((await taken(page, wishes))?.data).toEqual({})
  })
})

describe('a page that is slow to extract', () => {
  const deep = '<b>'.repeat(200_000)

  it.each([
    { extract: { h: 'h1' } },
    { text: true },
    { markdown: true },
    { text: true, content: 'b' },
  ])('fails after the time limit: %j', async (wishes) => {
    const result = await taken(deep, wishes, 100)
    expect(result).toMatchObject({ error: { code: 'extraction-failed' } })
  })

  it("doesn't affect the next page", async () => {
    const message = expect.stringContaining('took longer than')
    const wishes = { text: true, extract: { h: 'h1' } }
    expect(await taken(deep, wishes, 100)).toMatchObject({ error: { message } })
    expect(await taken('<h1>a</h1>', wishes)).toEqual({ data: { text: 'a', h: 'a' } })
  })
})

describe('a hostile page fails', () => {
  const open = Array.from({ length: 1_000 }, (_, i) => `<b a${i}>`).join('')
  const failed = (message: string) => ({ error: { code: 'extraction-failed', message } })

  it.each(
    chosen([{ extract: { h: 'h1' } }, { markdown: true }], ({ markdown }) => markdown === true),
  )('if its open elements are copied into too many paragraphs: %j', async (wishes) => {
    const html = `<p>${open}${'<p>x'.repeat(1_000)}`
    const message = 'its tree has more than 262144 elements and attributes'
    expect(await taken(html, wishes)).toEqual(failed(message))
  })

  it('if the open elements that are copied into its content are too long', async () => {
    const html = `<p><b title="${'x'.repeat(10_000)}"><main>${'<p>x'.repeat(1_000)}`
    const message = 'its content has more than 2097152 characters'
    expect(await taken(html, { text: true, content: 'main' })).toEqual(failed(message))
    expect((await taken(html, { text: true, content: 'p' }))?.data).toEqual({ text: '' })
  })

  it('if a long base makes the URLs of its Markdown too long', async () => {
    const pageData = await openPageData({ ...NOTHING, markdown: true })
    const base = `http://a.example/${'a'.repeat(20_000)}/`
    const message = 'its URLs have more than 16777216 characters'
    expect(pageData?.({ html: '<img src=a>'.repeat(1_000), base })).toEqual(failed(message))
  })

  it('if its elements are nested too deeply for Markdown', async () => {
    const html = '<div>'.repeat(10_000)
    expect(await taken(html, { markdown: true })).toEqual(
      failed('its elements are nested too deeply'),
    )
  })
})

it('a page that leaves many elements open is converted to Markdown', async () => {
  const html = '<p><font>x'.repeat(2_000)
  expect((await taken(html, { markdown: true }))?.error).toBeUndefined()
})

it('the extractor is not loaded if nothing is extracted', async () => {
  expect(await openPageData(NOTHING)).toBeUndefined()
})
