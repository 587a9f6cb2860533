import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvFormat } from '../../../src/formats/per-visit/csv.ts'
import type { Visit } from '../../../src/records/visit.ts'
import { allColumns } from '../../../src/records/visit-columns.ts'
import { VisitRecord } from '../../../src/records/visit-record.ts'
import { recordOf } from '../../support/record-of.ts'
import { randomCases } from '../../support/soak.ts'
import { keepsTheContract } from '../output-contract.ts'

const csv = csvFormat(allColumns([]))
const encode = (record: VisitRecord) => csv.encode({ record })
const cellsOf = (text: string): Record<string, string>[] => parse(text, { columns: true })
const encoded = (visit: Partial<Visit>) => cellsOf(csv.head + encode(recordOf(visit)))[0]

keepsTheContract({ file: 'visits.csv', read: (file) => cellsOf(readFileSync(file, 'utf8')) })

describe('csv', () => {
  it('has a cell for each field, and both parts of an error', () => {
    const error = { code: 'timeout', message: 'no complete response within 5 ms' } as const
    expect(encoded({ url: 'http://a.test/', depth: 0, truncated: true, error })).toMatchObject({
      ...{ url: 'http://a.test/', depth: '0', truncated: 'true', status: '' },
      ...{ error: 'timeout', errorMessage: 'no complete response within 5 ms' },
    })
  })

  it('starts with the name of a column, without a byte order mark', () => {
    expect(Buffer.from(csv.head).subarray(0, 4).toString('latin1')).toBe('url,')
  })

  it('has a column for each extracted field, after those of every crawl', () => {
    const format = csvFormat(allColumns(['price', 'tags', 'a,b', 'none']))
    const dataJson = JSON.stringify({ price: '=1', tags: ['x', 2], 'a,b': 'y', other: 1 })
    const { fields } = recordOf({ url: 'http://a.test/' })
    const record = new VisitRecord({ ...fields, dataJson })
    const [cells = {}] = cellsOf(format.head + format.encode({ record }))
    const names = ['data.price', 'data.tags', 'data.a,b', 'data.none']
    const known = csv.head.trimEnd().split(',')
    expect(Object.keys(cells)).toEqual([...known, ...names])
    expect(names.map((name) => cells[name])).toEqual(["'=1", '["x",2]', 'y', ''])
    expect(cells['data']).toBe('{"other":1}')
    const [empty = {}] = cellsOf(
      format.head + format.encode({ record: recordOf({ url: 'http://a.test/' }) }),
    )
    expect(names.map((name) => empty[name])).toEqual(['', '', '', ''])
  })

  it('has the chosen columns only, in order; data has the fields without a column', () => {
    const dataJson = JSON.stringify({ price: '1', other: 2 })
    const { fields } = recordOf({ url: 'http://a.test/', status: 200 })
    const record = new VisitRecord({ ...fields, dataJson })
    const textWith = (...columns: string[]) => {
      const { head, encode } = csvFormat(columns)
      return head + encode({ record })
    }
    expect(textWith('status', 'data.price', 'url', 'title')).toBe(
      'status,data.price,url,title\r\n200,1,http://a.test/,\r\n',
    )
    expect(cellsOf(textWith('data'))).toEqual([{ data: '{"price":"1","other":2}' }])
    expect(cellsOf(textWith('data', 'data.price'))).toEqual([
      { data: '{"other":2}', 'data.price': '1' },
    ])
  })

  it('preserves any text, except for dangerous characters', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, (url, title) => {
        fc.pre(!/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(url + title))
        fc.pre(!/(?:^|[;|])[\s"]*[=+\-@＝＋－＠﹦﹢﹣﹫]/.test(title + url))
        expect(encoded({ url: `x${url}`, title })).toMatchObject({ url: `x${url}`, title })
      }),
    )
  })

  it.each([
    '=1+1',
    '+1-1',
    '-1-',
    '+49 30 1234',
    '-1,2,3',
    '-A1',
    '@SUM(A1)',
    '＝1',
    '=HYPERLINK("http://evil.test","x")',
  ])('escapes a formula in a cell: %s', (title) => {
    expect(encoded({ url: 'http://a.test/', title })).toMatchObject({ title: `'${title}` })
  })

  it.each(['-3.5', '+4,5', '-1', '+1e-7', '-2.5E+3', '0'])(
    "doesn't change a number: %s",
    (title) => {
      expect(encoded({ url: 'http://a.test/', title })).toMatchObject({ title })
    },
  )

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a|@SUM(A1)', "a|'@SUM(A1)"],
    ['a; "＝1";-2', 'a; "\'＝1";\'-2'],
    ['"=1', '"\'=1'],
    [' =1', " '=1"],
    ['﹦1', "'﹦1"],
  ])('escapes a formula for readers that split at another separator: %s', (title, safe) => {
    expect(encoded({ url: 'http://a.test/', title })).toMatchObject({ title: safe })
  })

  it.each(['\t=1', '\r=1', '\n=1'])('escapes a formula after a control character: %j', (title) => {
    expect(encoded({ url: 'http://a.test/', title })).toMatchObject({ title: " '=1" })
  })

  it('escapes formulas for readers that split at any separator', () => {
    const text = fc.string({ unit: fc.constantFrom(...';|\t\r\n ",=+-@＝a\u200e\ufeff') })
    fc.assert(
      fc.property(text, (title) => {
        const [, line = ''] = (csv.head + encode(recordOf({ title }))).split('\r\n')
        const cells = line.split(/[;|\t]/).slice(1)
        expect(cells.filter((cell) => /^[\s"]*[=+\-@＝]/.test(cell))).toEqual([])
        expect(encoded({ title })?.['title']).not.toMatch(/^[\s"]*[=+\-@＝]/)
      }),
      { numRuns: randomCases(2_000) },
    )
  })

  it.each([';', '|'])('is the same table to a reader that also splits at %j', (delimiter) => {
    const line = csv.head + encode(recordOf({ url: 'http://a.test/;x|y', title: `a${delimiter}b` }))
    const [row] = parse(line, { columns: true, delimiter: [',', delimiter] }) as object[]
    expect(row).toMatchObject({ url: 'http://a.test/;x|y', title: `a${delimiter}b` })
  })

  it.each(['a\nb', 'a\r\nb', 'a\rb', 'a\tb', 'a\u2028b'])(
    'has a space for a line break or tab: %j',
    (price) => {
      const { fields } = recordOf({ url: 'http://a.test/', data: { price } })
      expect(csvFormat(['data.price']).encode({ record: new VisitRecord(fields) })).toBe('a b\r\n')
    },
  )

  it('has one line per record, without control characters', () => {
    const line = encode(recordOf({ title: 'a\r\nb\u001b[31m\u009bc\t' }))
    expect(line.match(/\p{Cc}/gu)).toEqual(['\r', '\n'])
    expect(line).toContain(',a b\ufffd[31m\ufffdc ,')
  })
})
