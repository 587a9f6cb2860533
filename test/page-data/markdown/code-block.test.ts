import { expect, it } from 'vitest'
import { markdown } from '../../../src/page-data/markdown/markdown.ts'
import { readableText } from '../../../src/page-data/readable-text.ts'
import { growth, SLACK } from '../../support/growth.ts'

const toMarkdown = (html: string) => markdown(html, 'http://a.example/b')

it.each([
  ['the HTML standard', '<pre><code class="x language-js">a</code></pre>', 'js'],
  ['Prettify', '<pre class="prettyprint lang-c++">a</pre>', 'c++'],
  ['Hugo', '<pre><code data-lang="go">a</code></pre>', 'go'],
  ['Astro', '<pre class="astro-code" data-language="ts">a</pre>', 'ts'],
  ['GitHub', '<div class="highlight highlight-source-js"><pre>a</pre></div>', 'js'],
  ['Jekyll', '<div class="language-rb highlighter-rouge"><div><pre>a</pre></div></div>', 'rb'],
  ['Sphinx', '<div class="highlight-python notranslate"><div><pre>a</pre></div></div>', 'python'],
  ['MediaWiki', '<div class="mw-highlight mw-highlight-lang-c x"><pre>a</pre></div>', 'c'],
  ['cppreference', '<div class="cpp source-cpp"><pre class="de1">a</pre></div>', 'cpp'],
  ['Pandoc', '<pre class="sourceCode haskell">a</pre>', 'haskell'],
  ['SyntaxHighlighter', '<pre class="brush: php; title: ;">a</pre>', 'php'],
  ['highlight.js', '<pre><code class="hljs python">a</code></pre>', 'python'],
  ['highlight.js, by a class of the standard', '<pre><code class="hljs language-c">a</code>', 'c'],
  ['Hexo', '<figure class="highlight ts"><div><pre>a</pre></div></figure>', 'ts'],
  ['Hexo, none', '<figure class="highlight plain"><pre>a</pre></figure>', ''],
  ['Enlighter', '<pre class="EnlighterJSRAW" data-enlighter-language="js">a</pre>', 'js'],
  ['rustdoc', '<pre class="rust rust-example-rendered"><code>a</code></pre>', 'rust'],
  ['Sphinx, none', '<div class="highlight-default notranslate"><pre>a</pre></div>', ''],
  ['Hugo themes, none', '<div class="highlight-wrapper"><pre>a</pre></div>', ''],
  ['a page, none', '<main class="language-en"><pre>a</pre></main>', ''],
])('a block of code has the language that %s names', (_, html, language) => {
  expect(toMarkdown(html)).toBe(`\`\`\`${language}\na\n\`\`\``)
})

it('a <pre> with a language is code, even if it has links, as in cppreference', () => {
  const html = '<div class="source-cpp"><pre><a href="cout">std::cout</a> &lt;&lt; n</pre></div>'
  expect(toMarkdown(html)).toBe('```cpp\nstd::cout << n\n```')
})

const LINES = 'if a:\n\n    b'

it.each([
  [
    'Pygments',
    '<pre><span class="linenos">1</span>if a:\n<span class="linenos">2</span>\n<span class="linenos">3</span>    b\n</pre>',
  ],
  [
    'a table of Sphinx',
    `<table><tr><td class="linenos"><div class="linenodiv"><pre><span>1</span>\n2\n3</pre></div></td>
      <td class="code"><div><pre><span></span>${LINES}\n</pre></div></td></tr></table>`,
  ],
  [
    'a table of Hugo',
    `<table><tr><td><pre><code><span>1\n</span><span>2\n</span></code></pre></td>
      <td><pre><code>${LINES}\n</code></pre></td></tr></table>`,
  ],
  [
    'Chroma',
    '<pre><code><span><span class="ln">1</span>if a:\n</span><span><span class="ln">2</span>\n</span><span><span class="ln">3</span>    b\n</span></code></pre>',
  ],
  [
    'VitePress',
    `<pre><code>${LINES}</code></pre><div class="line-numbers-wrapper"><span>1</span><br><span>2</span></div>`,
  ],
])('code has no line numbers of %s', (_, html) => {
  expect(toMarkdown(html)).toBe(`\`\`\`\n${LINES}\n\`\`\``)
  expect(readableText(html).trim()).toBe(LINES)
})

it('code keeps lines that are blocks, also empty ones', () => {
  const lines = (tag: string) =>
    ['if a:', '', '    b'].map((line) => `<${tag}>${line}</${tag}>`).join('')
  for (const tag of ['div', 'li', 'p'])
    expect(toMarkdown(`<pre><code>${lines(tag)}</code><button>Copy</button></pre>`)).toBe(
      `\`\`\`\n${LINES}\n\`\`\``,
    )
})

it.each([
  '<div>a <font><pre> b\n\n</pre></font>c',
  '<div>a <code><pre> b\n\n</pre></code>c',
  '<div>a <tt><pre> b\n\n</pre></tt>c',
  '<div>a <b><pre> b\n\n</pre></b>c',
])('the fences of %j have lines of their own', (html) => {
  expect(toMarkdown(html)).toBe('a\n\n```\n b\n\n```\n\nc')
})

it('code has no button to copy it', () => {
  const html = '<pre><code>a</code><button>copy</button></pre>'
  expect(toMarkdown(html)).toBe('```\na\n```')
  expect(readableText(html)).toBe('a')
})

it('code in a <div> of its own keeps its lines, as in the manual of PHP', () => {
  const html =
    '<div class=phpcode><code><span>if&nbsp;a:<br><br>&nbsp;&nbsp;&nbsp;&nbsp;b</span></code></div>'
  expect(toMarkdown(html)).toBe(`\`\`\`\n${LINES}\n\`\`\``)
})

it('numbers in a <pre> of a table are text, unless they are beside code', () => {
  const html = '<table><tr><td><pre>4</pre></td><td>b</td></tr></table>'
  expect(toMarkdown(html)).toContain('4')
  expect(readableText(html)).toContain('4')
})

it.each([
  ['cells of line numbers', '<td><pre>1\n2</pre></td> <td><pre>a</pre></td>'],
  ['tables with code', '<table><tr><td><pre>1</pre><td><pre>a</pre></table>'],
  ['lines', '<pre><div class=line>a</div></pre>'],
])('pages are converted in time linear in their size, with %s', async (_, piece) => {
  const html = (size: number) => piece.repeat(size / piece.length)
  expect(await growth((size) => toMarkdown(html(size)), 8_192)).toBeLessThan(SLACK)
  expect(await growth((size) => readableText(html(size)), 8_192)).toBeLessThan(SLACK)
})

it('the code of Doxygen is code, although it is in a <div>', () => {
  const line = (number: number, code: string) =>
    `<div class="line"><a name="l${number}"></a><span class="lineno">    ${number}</span>${code}</div>\n`
  const code = `${line(1, '<a href="a.html">if</a> a')}${line(2, '')}${line(3, '    b')}`
  const html = `<div><div class="fragment">${code}</div><!-- fragment --><p>After</p></div>`
  expect(toMarkdown(html)).toBe('```\nif a\n\n    b\n```\n\nAfter')
  expect(readableText(html)).toBe('if a\n\n    b\n\nAfter')
})
