import { expect, it } from 'vitest'
import { selectedJsonl } from '../../../src/formats/per-visit/selected-jsonl.ts'
import type { Visit } from '../../../src/records/visit.ts'
import { VisitRecord } from '../../../src/records/visit-record.ts'
import { recordOf } from '../../support/record-of.ts'

const error = { code: 'timeout', message: 'no answer' } as const

function lineWith(columns: readonly string[], visit: Partial<Visit>, dataJson?: string): string {
  const { fields } = recordOf(visit)
  return selectedJsonl(columns).encode({ record: new VisitRecord({ ...fields, dataJson }) })
}

it('JSON lines have only the chosen fields, in order, with the same values as the whole record', () => {
  const visit = {
    url: 'http://a.test/',
    status: 200,
    truncated: true,
    title: 'a\u202eb',
    error,
  } as const
  expect(lineWith(['title', 'url', 'charset', 'error', 'truncated'], visit)).toBe(
    '{"title":"a\\u202eb","url":"http://a.test/","error":{"code":"timeout","message":"no answer"},"truncated":true}\n',
  )
  expect(lineWith(['errorMessage'], visit)).toBe('{"errorMessage":"no answer"}\n')
  expect(lineWith(['hash'], visit)).toBe('{}\n')
})

it('JSON lines have chosen fields of data as members of data', () => {
  const data = '{"price":"1","tags":["x"],"__proto__":3}'
  const url = 'http://a.test/'
  expect(lineWith(['data.tags', 'url', 'data.price', 'data.none'], { url }, data)).toBe(
    '{"data":{"tags":["x"],"price":"1"},"url":"http://a.test/"}\n',
  )
  expect(lineWith(['data.price', 'data'], {}, data)).toBe(`{"data":${data}}\n`)
  expect(lineWith(['data.none'], {}, data)).toBe('{}\n')
  expect(lineWith(['data.price', 'data'], {})).toBe('{}\n')
})
