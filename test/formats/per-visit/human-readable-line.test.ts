import { describe, expect, it } from 'vitest'
import { lineFormat } from '../../../src/formats/per-visit/human-readable-line.ts'
import type { Visit } from '../../../src/records/visit.ts'
import { recordOf } from '../../support/record-of.ts'

const line = (visit: Partial<Visit>, hasColors = false) => {
  return lineFormat(hasColors).encode({
    record: recordOf({ url: 'http://a.test/', depth: 1, ...visit }),
  })
}

describe('a line', () => {
  it('has the status, the depth, the URL, the title and the time', () => {
    expect(line({ status: 200, title: 'A page', ms: 12 })).toBe(
      '200   1  http://a.test/  A page  12 ms\n',
    )
  })

  it('has the target of a redirect', () => {
    expect(line({ status: 301, redirectsTo: 'http://a.test/new', ms: 3 })).toBe(
      '301   1  http://a.test/  → http://a.test/new  3 ms\n',
    )
  })

  it('has the error of a visit instead of the status', () => {
    const error = { code: 'timeout', message: 'no answer' } as const
    expect(line({ error })).toBe('timeout   1  http://a.test/\n')
  })

  it.each([
    [204, '\u001b[32m'],
    [301, '\u001b[36m'],
    [404, '\u001b[33m'],
    [503, '\u001b[31m'],
  ])('colors the status %i by its class', (status, color) => {
    expect(line({ status }, true).startsWith(`${color}${status}`)).toBe(true)
  })

  it('contains no control characters of a site', () => {
    expect(line({ status: 200, title: 'a\u001b[31mb\nc' })).toBe(
      '200   1  http://a.test/  a\ufffd[31mb\ufffdc\n',
    )
  })
})
