import { describe, expect, it } from 'vitest'
import { groupFieldsOf } from '../../src/page-data/field.ts'
import { compileTemplate, listsIn, problemInTemplate } from '../../src/records/print-template.ts'
import type { Visit } from '../../src/records/visit.ts'
import { recordOf } from '../support/record-of.ts'

const line = (template: string, visit: Partial<Visit>) =>
  compileTemplate(template)(recordOf({ url: 'http://a.test/', depth: 1, ...visit }).fields)

describe('a template for lines', () => {
  it('inserts fields of the record by name, or - if a visit lacks one', () => {
    const error = { code: 'timeout', message: 'no answer' } as const
    expect(line('{status} {url} ({title})', { status: 200, title: 'A' })).toBe(
      '200 http://a.test/ (A)\n',
    )
    expect(line('{status} {error} {error.code} {error.message}', { error })).toBe(
      '- timeout timeout no answer\n',
    )
    expect(line('{noindex}{truncated}', { noindex: true })).toBe('true-\n')
  })

  it('inserts extracted fields', () => {
    const data = { price: '9 €', 'main.list': [1, { a: 2 }] }
    expect(line('{data.price}|{data.main.list}|{data.toString}|{data}', { data })).toBe(
      `9 €|[1,{"a":2}]|-|${JSON.stringify(data)}\n`,
    )
    expect(line('{data.price}', {})).toBe('-\n')
  })

  describe('with fields of a group', () => {
    const groups = groupFieldsOf({
      'goods[]': '.item{name=.name, price=.price}',
      shop: '.shop{name=h1}',
      'shop.name': 'h2',
      'shop.town': '.town',
    })
    const linesOf = (template: string, data?: Readonly<Record<string, unknown>>) => {
      const { fields } = recordOf({ url: 'http://a.test/', ...(data !== undefined && { data }) })
      return compileTemplate(template, groups)(fields)
    }

    it('prints a line for each element of a list, and none for an empty list', () => {
      const goods = [{ name: 'Mug', price: '9' }, { name: 'Cup\n' }, null]
      const template = '{url}\\t{data.goods.name}\\t{data.goods.price}'
      expect(linesOf(template, { goods })).toBe(
        'http://a.test/\tMug\t9\nhttp://a.test/\tCup \t-\nhttp://a.test/\t-\t-\n',
      )
      expect(linesOf(template, { goods: 'x' })).toBe('')
      expect(linesOf(template)).toBe('')
      expect(listsIn('{data.goods.name}{data.goods.price}{data.shop.name}', groups)).toEqual([
        'goods',
      ])
    })

    it('prints one line for a group that is not a list, and prefers other fields of that name', () => {
      expect(linesOf('{data.shop}', { shop: { name: 'A' } })).toBe('{"name":"A"}\n')
      expect([...groups.keys()]).toEqual(['goods.name', 'goods.price'])
      const one = groupFieldsOf({ shop: '.shop{name=h1}' })
      const { fields } = recordOf({ url: 'http://a.test/', data: { shop: { name: 'A' } } })
      expect(compileTemplate('{data.shop.name}', one)(fields)).toBe('A\n')
    })
  })

  it('supports escapes for tabs, line feeds, backslashes and braces', () => {
    expect(line('{{{depth}}}\\t\\\\t\\n"{url}"', {})).toBe('{1}\t\\t\n"http://a.test/"\n')
  })

  it('contains no control characters of a site, or of its own text', () => {
    const title = 'a\u001b[31mb\nc\td\u202e'
    expect(line('\u001b[1m{title}\\t{data.x}', { title, data: { x: '\u009bm' } })).toBe(
      '\ufffd[1ma\ufffd[31mb c d\ufffd\t\ufffdm\n',
    )
  })

  it.each([
    ['{url}', undefined],
    ['', 'at least one field such as {url}'],
    [
      '{statsu}',
      'a field of the record, such as {url} or {data.price}, for {statsu} (did you mean {status}?)',
    ],
    [
      '{url} {content-type}',
      'a field of the record, such as {url} or {data.price}, for {content-type} (did you mean {contentType}?)',
    ],
    ['{nothing}', 'a field of the record, such as {url} or {data.price}, for {nothing}'],
    [
      '{data.}',
      'a field of the record, such as {url} or {data.price}, for {data.} (did you mean {data}?)',
    ],
    ['{}', 'a field of the record, such as {url} or {data.price}, for {}'],
    ['{"a":{url}}', 'a field such as {url} for each brace, or {{ for it'],
    ['url}', 'a field such as {url} for each brace, or }} for it'],
    ['{url', 'a field such as {url} for each brace, or {{ for it'],
    ['a\\x', 'one of \\t, \\n and \\\\ for each backslash'],
    ['a\\', 'one of \\t, \\n and \\\\ for each backslash'],
  ])('reports its first mistake: %s', (template, problem) => {
    expect(problemInTemplate(template)).toBe(problem)
  })
})
