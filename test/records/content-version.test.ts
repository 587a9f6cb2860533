import { describe, expect, it } from 'vitest'
import { changeOf } from '../../src/records/content-version.ts'

const THERE = { digest: 'before' }
const GONE = {}

describe('the change of a URL since the last visit', () => {
  it.each([
    ['new, even with an error status', null, 500, undefined, 'new'],
    ['new, without a response', null, undefined, undefined, 'new'],
    ['unchanged by its status', THERE, 304, undefined, 'same'],
    ['unchanged by its digest', THERE, 200, 'before', 'same'],
    ['changed', THERE, 200, 'after', 'changed'],
    ['changed to forbidden', THERE, 403, 'after', 'changed'],
    ['gone', THERE, 404, undefined, 'gone'],
    ['gone with status 410', THERE, 410, undefined, 'gone'],
    ['unchanged if it was already gone', GONE, 404, undefined, 'same'],
    ['changed if it was gone before', GONE, 200, 'after', 'changed'],
    ['unknown, without a response', THERE, undefined, undefined, undefined],
    ['unknown, after a server error', THERE, 503, 'oh', undefined],
    ['unknown, after too many requests', THERE, 429, 'slow down', undefined],
  ])('%s', (_, before, status, digest, change) => {
    expect(changeOf(before, status, digest)).toBe(change)
  })
})
