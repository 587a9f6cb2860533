import { expect, it } from 'vitest'
import { markdown } from '../../../src/page-data/markdown/markdown.ts'
import { readableText } from '../../../src/page-data/readable-text.ts'

const toMarkdown = (html: string) => markdown(html, 'http://a.example/b')

it.each([
  '<h2>Use<a class="headerlink" href="#use">¶</a></h2>',
  '<h2>Use<a class="hash-link" href="#use">\u200b</a></h2>',
  '<h2><a href="#use" aria-hidden="true">#</a> Use</h2>',
  '<h2>Use</h2><a class="anchor" href="#use"><svg></svg></a>',
  '<h2><a href="#use">Use</a></h2>',
  '<h2>Use<span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2>',
])('a heading has no link to itself: %s', (html) => {
  expect(toMarkdown(html)).toBe('## Use')
  expect(readableText(html)).toBe('Use')
})

it('a footnote has no link back', () => {
  const html = '<p>Note. <a href="#r1">↩\ufe0e</a></p>'
  expect(toMarkdown(html)).toBe('Note.')
  expect(readableText(html).trim()).toBe('Note.')
})

it.each([
  ['<a href="#x">1</a>', '[1](http://a.example/b#x)'],
  ['<a href="#x">*</a>', '[\\*](http://a.example/b#x)'],
  ['<a href="/x">#</a>', '[\\#](http://a.example/x)'],
  ['<a href="#x"><img src=/i></a>', '[![](http://a.example/i)](http://a.example/b#x)'],
  ['a <a href="/edit"><svg></svg></a> b', 'a b'],
  ['<a href="javascript:void(0)">Show</a>', 'Show'],
])('the links of %s in Markdown are those with a text or an image', (html, expected) => {
  expect(toMarkdown(html)).toBe(expected)
})

it.each([
  ['<img src="data:image/gif;base64,R0" data-src="/i.png" alt=A>', '![A](http://a.example/i.png)'],
  ['<img src="data:image/png;base64,iVBO" alt="A_">', 'A\\_'],
  ['a<img src="data:image/png;base64,iVBO">b', 'ab'],
  ['<img data-src="/i.png" alt=A>', '![A](http://a.example/i.png)'],
  ['<img src="" data-original="/i.png" alt=A>', '![A](http://a.example/i.png)'],
  ['a <img src=" " alt=A> <img alt=B>', 'a A B'],
  ['<img src="/i" alt="A\n- b">', '![A - b](http://a.example/i)'],
  ['<img alt="A\n\n# b">', 'A # b'],
  ['<a href="/i" title="A\n# b">c</a>', '[c](http://a.example/i "A # b")'],
])('the Markdown of %s has no image without a URL, or with its data', (html, expected) => {
  expect(toMarkdown(html)).toBe(expected)
})

it.each([
  [
    '<div><a href=/1><h3>A</h3><p>b</p></a><a href=/2><div>C</div></a></div>',
    '[A b](http://a.example/1)\n\n[C](http://a.example/2)',
  ],
  ['<a href=/1><div>A</div></a> b', '[A](http://a.example/1)\n\nb'],
  ['<a href=/1>a<br></a><a href=/2>b</a>', '[a](http://a.example/1)  \n[b](http://a.example/2)'],
  ['<a href=/1>a</a><a href=/2><br>b</a>', '[a](http://a.example/1)  \n[b](http://a.example/2)'],
  ['<b><h2><br></h2></b><a href=/1>a</a>', '[a](http://a.example/1)'],
  ['<p>a <a href=/1>b<br><br>c</a> d', 'a [b c](http://a.example/1) d'],
])('in the Markdown of %s, links are on the lines that they have in browsers', (html, expected) => {
  expect(toMarkdown(html)).toBe(expected)
})

it('menus that are marked by their role are left out', () => {
  const html = '<div role=navigation><a href=/>Home</a></div><p>a'
  expect(toMarkdown(html)).toBe('a')
  expect(readableText(html)).toBe('a')
})
