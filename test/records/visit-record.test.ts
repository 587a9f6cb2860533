import { expect, it } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'
import { fieldsOf, VisitRecord } from '../../src/records/visit-record.ts'

const visit = { url: 'http://h.test/', depth: 0, hop: 'seed', attempts: 1, time: 'now' } as const

const lineOf = (fields: Visit) => new VisitRecord(fieldsOf(fields)).line

it('is one line of JSON', () => {
  const titled = { ...visit, title: 'two\nlines\u2028and "quotes"' }
  const line = lineOf(titled)
  expect(line.indexOf('\n')).toBe(line.length - 1)
  expect(JSON.parse(line)).toEqual(titled)
})

it('leaves out what is not known', () => {
  const unknown = { status: undefined, via: undefined, title: undefined, error: undefined }
  expect(JSON.parse(new VisitRecord({ ...visit, ...unknown }).line)).toEqual(visit)
})

it('is plain ASCII or UTF-8 even of half a surrogate pair', () => {
  const line = lineOf({ ...visit, title: 'cut \ud83d' })
  expect(Buffer.from(line).toString()).toBe(line)
})

/** Each field, in the order that the contract gives them. */
const WHOLE: Visit = {
  ...{ url: 'http://h.test/', status: 200, depth: 1, via: 'http://h.test/v', hop: 'link' },
  ...{ redirectsTo: 'http://h.test/r', contentType: 'text/html', charset: 'utf-8', bytes: 1 },
  ...{ truncated: true, title: 't', noindex: true, canonical: 'http://h.test/c', links: 2 },
  ...{ discovered: 3, change: 'new', ms: 4, attempts: 5, worker: 6, time: 'now' },
  ...{ error: { code: 'internal', message: 'm' }, data: { text: 'a\u009b"', list: [['b']] } },
  ...{ dataTruncated: true, duplicateOf: 'http://h.test/o', agent: 'a', seq: 7 },
}

it('has its fields in one order, whatever the order in which they became known', () => {
  const shuffled = Object.fromEntries(Object.entries(fieldsOf(WHOLE)).toReversed())
  expect(new VisitRecord(shuffled as never).line).toBe(lineOf(WHOLE))
  expect(Object.keys(JSON.parse(lineOf(WHOLE)))).toEqual(Object.keys(WHOLE))
  expect(JSON.parse(lineOf(WHOLE))).toEqual(WHOLE)
})

it('holds data as it is, at the end or before other fields, without controls', () => {
  const data = { text: 'a\u009b2J', 'a"b': [] }
  for (const end of [{}, { seq: 1 }] as const) {
    const line = lineOf({ ...visit, data, ...end })
    expect(JSON.parse(line)).toEqual({ ...visit, data, ...end })
    expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u)
  }
})

it('holds data nested more deeply than threads can exchange objects', () => {
  const dataJson = `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const record = new VisitRecord({ ...visit, dataJson })
  expect(structuredClone(record.fields)).toEqual(record.fields)
  expect(record.line).toContain(`,"data":${dataJson}}\n`)
})

it('is encoded once, however many outputs ask for it', () => {
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

it('says more without a change of what was said before', () => {
  const record = new VisitRecord(visit)
  expect(JSON.parse(record.with({ agent: 'a' }).with({ seq: 2 }).line)).toEqual({
    ...visit,
    ...{ agent: 'a', seq: 2 },
  })
  expect(JSON.parse(record.line)).toEqual(visit)
})
