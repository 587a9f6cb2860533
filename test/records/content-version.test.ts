import { describe, expect, it } from 'vitest'
import { changeOf } from '../../src/records/content-version.ts'

const THERE = { digest: 'before' }
const GONE = {}

describe('the change of a URL since the last visit', () => {
  it.each([
    ['new, whatever the answer', null, 500, undefined, 'new'],
    ['new, without an answer', null, undefined, undefined, 'new'],
    ['the same by its status', THERE, 304, undefined, 'same'],
    ['the same by its digest', THERE, 200, 'before', 'same'],
    ['changed', THERE, 200, 'after', 'changed'],
    ['changed to be forbidden', THERE, 403, 'after', 'changed'],
    ['gone', THERE, 404, undefined, 'gone'],
    ['gone for good', THERE, 410, undefined, 'gone'],
    ['gone as before', GONE, 404, undefined, 'same'],
    ['back', GONE, 200, 'after', 'changed'],
    ['unknown, without an answer', THERE, undefined, undefined, undefined],
    ['unknown, when the server fails', THERE, 503, 'oh', undefined],
    ['unknown, when there were too many requests', THERE, 429, 'slow down', undefined],
  ])('%s', (_, before, status, digest, change) => {
    expect(changeOf(before, status, digest)).toBe(change)
  })
})
