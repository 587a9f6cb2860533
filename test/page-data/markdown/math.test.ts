import { expect, it } from 'vitest'
import { markdown } from '../../../src/page-data/markdown/markdown.ts'
import { readableText } from '../../../src/page-data/readable-text.ts'

const toMarkdown = (html: string) => markdown(html, 'http://a.example/b')
const mathMl = (attributes = '') =>
  `<math ${attributes}><semantics><msup><mi>a</mi><mn>2</mn></msup><annotation encoding="application/x-tex">a_1^2</annotation></semantics></math>`

it.each([
  [
    'KaTeX',
    `<span class="katex"><span class="katex-mathml">${mathMl()}</span><span class="katex-html" aria-hidden="true">a2</span></span>`,
  ],
  [
    'MediaWiki',
    `<span>${mathMl('alttext="a"')}<img src=/m.svg class="mwe-math-fallback-image-inline" alt="a_1^2"></span>`,
  ],
])('formulas of %s are TeX', (_, html) => {
  expect(toMarkdown(`<p>x ${html} y`)).toBe('x $a_1^2$ y')
  expect(readableText(`<p>x ${html} y`)).toBe('x $a_1^2$ y')
})

it.each([
  ['LaTeXML', '<math alttext="a_1^2"><mi>a</mi></math>'],
  ['Sphinx', '<span class="math notranslate">\\(a_1^2\\)</span>'],
  ['MkDocs', '<span class="arithmatex">\\(a_1^2\\)</span>'],
  ['kramdown', '<script type="math/tex">a_1^2</script>'],
])('formulas of %s are TeX in Markdown', (_, html) => {
  expect(toMarkdown(`<p>x ${html} y`)).toBe('x $a_1^2$ y')
})

it.each([
  mathMl('display=block'),
  '<div class="math">\n\\[a_1^2\\]</div>',
  '<script type="math/tex; mode=display">a_1^2</script>',
])('a formula may be a block in Markdown: %s', (html) => {
  expect(toMarkdown(`<p>x<p>${html}<p>y`)).toBe('x\n\n$$\na_1^2\n$$\n\ny')
})

it('formulas without TeX, and other things of class math, are text', () => {
  const html = '<math><mi>a</mi></math> <p class=math>b'
  expect(toMarkdown(html)).toBe('a\n\nb')
  expect(readableText(html)).toBe('a\n\nb')
})
