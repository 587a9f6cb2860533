import { expect, it } from 'vitest'
import { markdown } from '../../../src/page-data/markdown/markdown.ts'

const toMarkdown = (html: string) => markdown(html, 'http://a.example/b')

it.each([
  ['10<sup>5</sup> H<sub>2</sub>O', '10<sup>5</sup> H<sub>2</sub>O'],
  ['a<sup><a href=/x>1</a></sup><sup> </sup>', 'a[1](http://a.example/x)'],
  ['<code>2<sup>8</sup></code>', '`28`'],
  ['<del>a</del> <s>b</s> ~~c~~', '~~a~~ ~~b~~ \\~\\~c\\~\\~'],
  ['<kbd>Ctrl</kbd>+<kbd>C</kbd> <tt>a_b</tt> <samp>*</samp>', '`Ctrl`+`C` `a_b` `*`'],
  ['<tt>a`b</tt> <kbd><kbd>A</kbd>-<kbd>B</kbd></kbd>', '`` a`b `` `A-B`'],
  ['<tt>std::<a href=/x>a_b</a></tt>', 'std::[a_b](http://a.example/x)'],
  ['a<i>b</i>c <em>d</em>e f<em>g</em>h<i> </i> <i>x</i>', 'a*b*c *d*e f*g*h _x_'],
  [
    '这是<b>“重点”</b>内容 a<em>(b)</em> <b>“c”</b>',
    '这是<strong>“重点”</strong>内容 a<em>(b)</em> **“c”**',
  ],
  [
    '<b>Note:</b><span>a</span> <b>b!</b><b>c</b> <b>d.</b><p>e',
    '<strong>Note:</strong>a <strong>b\\!</strong>**c** **d.**\n\ne',
  ],
  [
    '<b><strong>a!</strong>b</b> <code><img src=/i> a</code>',
    '**a\\!b** ![](http://a.example/i) a',
  ],
  ['<del>~20</del> ~<s>5</s> <s>7~</s>', '<del>~20</del> ~<del>5</del> <del>7\\~</del>'],
  ['<s>a</s>~<a href=/x>&nbsp;1. b</a>', '<del>a</del>~\u00a0[1\\. b](http://a.example/x)'],
  ['a<del>(b)</del> <i>c</i><b>d</b>', 'a<del>(b)</del> <em>c</em>**d**'],
  ['<code><i>type</i>(a)</code> <code>a</code><code>b</code>', '`type(a)` `a` `b`'],
  ['<span><code>a</code></span><u><code>b</code></u><code>c</code>', '`a` `b` `c`'],
  ['<span><b>a:</b></span>b <u>c</u><span><i>d</i></span>e', '<strong>a:</strong>b c*d*e'],
  ['<b>a:</b><var>b</var> <q><b>c!</b></q>d', '<strong>a:</strong>b <strong>c\\!</strong>d'],
  ['<p><code>a<br>b</code> c', '`a b` c'],
  ['<ul><li>a<ol start=3><li>b</ol></ul>', '*   a\n    \n    3.  b'],
  [
    '<ul><li><a href=/x><img src=/i> a</a><p>b</ul>',
    '*   [![](http://a.example/i) a](http://a.example/x)\n    \n    b',
  ],
  ['<ul><li><br><p><br>a<p>b<li><br></ul>', '*   a\n    \n    b\n    \n*'],
  ['a_b _c_ __d a\\_b', 'a_b \\_c\\_ \\_\\_d a\\\\\\_b'],
  ['<tt> </tt><code><tt>a</tt></code>', '`a`'],
])('the Markdown of %s keeps what it means', (html, expected) => {
  expect(toMarkdown(html)).toBe(expected)
})

it.each([
  ['<b><div>a</div></b><p>b', '**a**\n\nb'],
  ['<b id=docs-internal-guid><p>a</p><p>b <i>c</i></p></b>', 'a\n\nb _c_'],
  ['<b>a<br></b>b', '**a**  \nb'],
  ['<i>a<br><br>b</i>', 'a  \n  \nb'],
  ['<strong><h2>a</h2></strong><del><ul><li>b</ul></del>', '## a\n\n*   b'],
  ['<a href=/x><b><div>a</div></b></a>', '[**a**](http://a.example/x)'],
])(
  'the Markdown of %s has marks inside of a paragraph, but not around several',
  (html, expected) => {
    expect(toMarkdown(html)).toBe(expected)
  },
)

it('the Markdown of a list of tasks has their boxes', () => {
  const tasks =
    '<li><input type=checkbox checked>a<li><label><input type=checkbox><i></i></label> b'
  expect(toMarkdown(`<ul>${tasks}</ul><input type=checkbox>c`)).toBe('*   [x] a\n*   [ ] b\n\nc')
})

it('the texts of controls and blocks are apart', () => {
  const select = '<select><option>a<option>b</select>'
  expect(toMarkdown(`${select}<button>c</button><button>d</button>`)).toBe('a b\n\nc d')
  const details = '<details><summary>a</summary>b <b>c</b></details>'
  expect(toMarkdown(`x${details}y`)).toBe('x\n\na\n\nb **c**\n\ny')
  expect(toMarkdown('<fieldset><legend>a</legend>b</fieldset><dialog>c</dialog>d')).toBe(
    'a\n\nb\n\nc\n\nd',
  )
})
