import { describe, expect, it } from 'vitest'
import { markdown } from '../../../src/page-data/markdown/markdown.ts'
import { readableText } from '../../../src/page-data/readable-text.ts'

const toMarkdown = (html: string) => markdown(html, 'http://a.example/b')
const lines = (...each: string[]) => each.join('\n')

describe('a table of data', () => {
  it.each([
    ['<thead><tr><td>A<td>B</thead><tr><td>1<td>2', ['| A | B |', '| --- | --- |', '| 1 | 2 |']],
    ['<tr><th>A<th>B<tr><td>1<td>2', ['| A | B |', '| --- | --- |', '| 1 | 2 |']],
    ['<tr><th>A<td>1<tr><th>B<td>2', ['|  |  |', '| --- | --- |', '| A | 1 |', '| B | 2 |']],
    ['<tr><td>A<td>1<tr><td>B<td>2', ['|  |  |', '| --- | --- |', '| A | 1 |', '| B | 2 |']],
    ['<tr><th>A<th>B<tr><td>1', ['| A | B |', '| --- | --- |', '| 1 |  |']],
  ])('has the heads of its columns, if any: %s', (rows, expected) => {
    expect(toMarkdown(`<p>x<table>${rows}</table>y`)).toBe(lines('x', '', ...expected, '', 'y'))
  })

  it('has its caption before it', () => {
    expect(toMarkdown('<table><caption>C</caption><tr><th>A<th>B<tr><td>1<td>2</table>')).toBe(
      lines('C', '', '| A | B |', '| --- | --- |', '| 1 | 2 |'),
    )
  })

  it('has cells in one line, with their markup', () => {
    const cells = '<td><p>a <b>b</b></p><p>c<td><a href=/x>l</a> | <code>a|b</code><br>d'
    expect(toMarkdown(`<table><tr><th>A<th>B<tr>${cells}</table>`)).toBe(
      lines(
        '| A | B |',
        '| --- | --- |',
        '| a **b**<br>c | [l](http://a.example/x) \\| `a\\|b`<br>d |',
      ),
    )
  })

  it('leaves places empty that other cells cover', () => {
    const rows = '<tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5'
    expect(toMarkdown(`<table>${rows}</table>`)).toBe(
      lines('| A |  | B |', '| --- | --- | --- |', '| 1 | 2 | 3 |', '|  | 4 | 5 |'),
    )
  })

  it('has no rules, like links and headings', () => {
    const html = '<table><tr><th>A<td>b<hr>c</table><h2>d<hr></h2>'
    expect(toMarkdown(html)).toBe(lines('|  |  |', '| --- | --- |', '| A | b<br>c |', '', '## d'))
  })

  it('has lists as lines with a bullet', () => {
    const html = '<table><tr><th>A<td><ul><li>a<li>b<ol><li>c</ol></ul></table>'
    expect(toMarkdown(html)).toBe(lines('|  |  |', '| --- | --- |', '| A | • a<br>• b<br>1.  c |'))
  })

  it('has code as spans, one for each line', () => {
    const cells = '<td><pre>if a:\n  b|c</pre><td>x<blockquote><pre>``y</pre></blockquote>z'
    expect(toMarkdown(`<table><tr><th>A<th>B<tr>${cells}</table>`)).toBe(
      lines('| A | B |', '| --- | --- |', '| `if a:`<br>`  b\\|c` | x<br>``` ``y ```<br>z |'),
    )
  })

  it('may have code that looks like a heading or a table', () => {
    const cells = '<td><pre># make\n| x</pre><td>y'
    expect(toMarkdown(`<table><tr><th>A<th>B<tr>${cells}</table>`)).toBe(
      lines('| A | B |', '| --- | --- |', '| `# make`<br>`\\| x` | y |'),
    )
  })

  it('may consist of elements with roles', () => {
    const row = (role: string, ...cells: string[]) =>
      `<div role=row>${cells.map((cell) => `<div role=${role}>${cell}</div>`).join('')}</div>`
    const body = `<div role=rowgroup>${row('cell', '1', '2')}</div>`
    const html = `<div role=table>${row('columnheader', 'A', 'B')}${body}</div>`
    expect(toMarkdown(html)).toBe(lines('| A | B |', '| --- | --- |', '| 1 | 2 |'))
    expect(readableText(html)).toBe('A B\n1 2')
  })

  it('may be of javadoc', () => {
    const cell = (kind: string, text: string) => `<div class="${kind}">${text}</div>`
    const head = cell('table-header col-first', 'A') + cell('table-header col-last', 'B')
    const row =
      cell('col-first even-row-color', '1') + cell('col-last even-row-color', '<div>2</div>')
    const caption = '<div class="caption"><span>C</span></div>'
    expect(
      toMarkdown(`${caption}<div class="summary-table two-column-summary">${head}${row}</div>`),
    ).toBe(lines('C', '', '| A | B |', '| --- | --- |', '| 1 | 2 |'))
  })

  it('may have the classes of javadoc', () => {
    const html = '<table class="summary-table"><tr class="even-row-color"><th>A<th>B</table>'
    expect(toMarkdown(html)).toBe('| A | B |\n| --- | --- |')
  })

  it('may be in a list', () => {
    expect(toMarkdown('<ul><li>x<table><tr><th>A<th>B<tr><td>1<td>2</table></ul>')).toBe(
      lines('*   x', '    ', '    | A | B |', '    | --- | --- |', '    | 1 | 2 |'),
    )
  })
})

describe('the cells of a table are paragraphs', () => {
  it.each([
    ['it has one row and no head', '<tr><td>a<td>b', 'a\n\nb'],
    ['it has one column and no head', '<tr><td>a<tr><td>b', 'a\n\nb'],
    [
      'cells without a head have paragraphs',
      '<tr><td>a<p>b<td>c<tr><td>d<td>e',
      'a\n\nb\n\nc\n\nd\n\ne',
    ],
    [
      'it is a note of DocBook',
      '<tr><td rowspan=2><img src=/i alt=N><th>Note<tr><td>a',
      '![N](http://a.example/i)\n\nNote\n\na',
    ],
    ['cells have headings', '<tr><th>a<th><h2>b</h2>', 'a\n\n## b'],
    [
      'cells without a head have code',
      '<tr><td>a<td><pre>b</pre><tr><td>c<td>d',
      'a\n\n```\nb\n```\n\nc\n\nd',
    ],
    [
      'cells have tables',
      '<tr><th>x<td><table><tr><th>A<tr><td>1</table>',
      'x\n\n| A |\n| --- |\n| 1 |',
    ],
  ])('if %s', (_, rows, expected) => {
    expect(toMarkdown(`<table>${rows}</table>`)).toBe(expected)
  })

  it('if it says that it serves the layout', () => {
    const html = '<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>'
    expect(toMarkdown(html)).toBe('a\n\nb\n\nc\n\nd')
  })

  it.each([
    ['wide cells', `<tr><td colspan=1000>a</td></tr>`.repeat(60)],
    ['high cells', `<tr>${'<th rowspan=999>a'.repeat(999)}${'<tr><th>b'.repeat(99)}`],
    ['one long row', `<tr>${'<th>a'.repeat(999)}${'<tr><th>b'.repeat(99)}`],
  ])('if it would have too many cells: %s', (_, rows) => {
    expect(toMarkdown(`<table>${rows}</table>`)).toMatch(/^a\n\n[ab]\n\n/)
  })
})

it('an empty table is left out', () => {
  expect(toMarkdown('a<table><tr><td> <td></table>b')).toBe('a\n\nb')
})
