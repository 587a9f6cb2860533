import { expect, it } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'
import { fieldsOf, VisitRecord } from '../../src/records/visit-record.ts'

const visit = { url: 'http://h.test/', depth: 0, hop: 'seed', attempts: 1, time: 'now' } as const

const lineOf = (fields: Visit) => new VisitRecord(fieldsOf(fields)).line

it('a record is one line of JSON', () => {
  const titled = { ...visit, title: 'two\nlines\u2028and "quotes"' }
  const line = lineOf(titled)
  expect(line.indexOf('\n')).toBe(line.length - 1)
  expect(JSON.parse(line)).toEqual(titled)
})

it('a record omits unknown fields', () => {
  const unknown = { status: undefined, via: undefined, title: undefined, error: undefined }
  expect(JSON.parse(new VisitRecord({ ...visit, ...unknown }).line)).toEqual(visit)
})

it('a record is valid UTF-8, even with half a surrogate pair', () => {
  const line = lineOf({ ...visit, title: 'cut \ud83d' })
  expect(Buffer.from(line).toString()).toBe(line)
})

/** All fields, in the documented order. */
const WHOLE: Visit = {
  ...{ url: 'http://h.test/', status: 200, depth: 1, via: 'http://h.test/v', hop: 'link' },
  ...{ redirectsTo: 'http://h.test/r', contentType: 'text/html', charset: 'utf-8', bytes: 1 },
  ...{ truncated: true, title: 't', noindex: true, canonical: 'http://h.test/c', links: 2 },
  ...{ discovered: 3, change: 'new', ms: 4, attempts: 5, worker: 6, time: 'now' },
  ...{ error: { code: 'internal', message: 'm' }, data: { text: 'a\u009b"', list: [['b']] } },
  ...{ dataTruncated: true, duplicateOf: 'http://h.test/o', agent: 'a', seq: 7 },
}

it('a record has its fields in one order, whatever the order in which they were set', () => {
  const shuffled = Object.fromEntries(Object.entries(fieldsOf(WHOLE)).toReversed())
  expect(new VisitRecord(shuffled as never).line).toBe(lineOf(WHOLE))
  expect(Object.keys(JSON.parse(lineOf(WHOLE)))).toEqual(Object.keys(WHOLE))
  expect(JSON.parse(lineOf(WHOLE))).toEqual(WHOLE)
})

it('a record has data unchanged, at the end or before other fields, without control characters', () => {
  const data = { text: 'a\u009b2J', 'a"b': [] }
  for (const end of [{}, { seq: 1 }] as const) {
    const line = lineOf({ ...visit, data, ...end })
    expect(JSON.parse(line)).toEqual({ ...visit, data, ...end })
    expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u)
  }
})

it('a record may have data nested more deeply than structured cloning supports', () => {
  const dataJson = `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const record = new VisitRecord({ ...visit, dataJson })
  expect(structuredClone(record.fields)).toEqual(record.fields)
  expect(record.line).toContain(`,"data":${dataJson}}\n`)
})

it('a record is encoded once for several outputs', () => {
  let reads = 0
  const fields = {
    ...visit,
    get title() {
      reads++
      return 't'
    },
  }
  const record = new VisitRecord(fields)
  expect([record.line, record.line]).toEqual([record.line, record.line])
  expect(reads).toBe(1)
})

it("further fields don't change the original record", () => {
  const record = new VisitRecord(visit)
  expect(JSON.parse(record.with({ agent: 'a' }).with({ seq: 2 }).line)).toEqual({
    ...visit,
    ...{ agent: 'a', seq: 2 },
  })
  expect(JSON.parse(record.line)).toEqual(visit)
})
