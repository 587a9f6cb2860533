import { describe, expect, it } from 'vitest'
import { encodeVisit } from '../../src/records/visit.ts'

const visit = { url: 'http://h.test/', depth: 0, hop: 'seed', attempts: 1, time: 'now' } as const

describe('encodeVisit', () => {
  it('gives one line of JSON', () => {
    const line = encodeVisit({ ...visit, title: 'two\nlines\u2028and "quotes"' } as never)
    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(JSON.parse(line)).toEqual({ ...visit, title: 'two\nlines\u2028and "quotes"' })
  })

  it('leaves out what is not known', () => {
    const unknown = { status: undefined, via: undefined, title: undefined, error: undefined }
    expect(JSON.parse(encodeVisit({ ...visit, ...unknown } as never))).toEqual(visit)
  })

  it('is plain ASCII or UTF-8 even of half a surrogate pair', () => {
    const line = encodeVisit({ ...visit, title: 'cut \ud83d' } as never)
    expect(Buffer.from(line).toString()).toBe(line)
  })
})
