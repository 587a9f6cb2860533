import { describe, expect, it } from 'vitest'
import { markdown } from '../../../src/page-data/markdown.ts'

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
    ['cells have headings', '<tr><th>a<th><h2>b</h2>', 'a\n\n## b'],
    ['cells have code', '<tr><th>a<td><pre>b</pre>', 'a\n\n```\nb\n```'],
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
