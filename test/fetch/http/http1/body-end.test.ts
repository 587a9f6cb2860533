import { describe, expect, it } from 'vitest'
import type { ResponseHeaders } from '../../../../src/fetch/fetcher.ts'
import { bodyEndOf, hasNoBody } from '../../../../src/fetch/http/http1/body-end.ts'

const endOf = (headers: ResponseHeaders, status = 200, isHead = false) =>
  bodyEndOf({ status, isHead, isHttp10: false, headers })

const LENGTH = { 'content-length': '5' }
const CHUNKED = { 'transfer-encoding': 'chunked' }

describe('the body of a response', () => {
  it.each<[string, ResponseHeaders, ReturnType<typeof bodyEndOf>]>([
    ['a length', LENGTH, 5],
    ['a length with zeros before it', { 'content-length': '0005' }, 5],
    ['chunks', CHUNKED, 'last-chunk'],
    ['chunks after another coding', { 'transfer-encoding': 'gzip, Chunked' }, 'last-chunk'],
    ['chunks in a second header', { 'transfer-encoding': ['gzip', 'chunked'] }, 'last-chunk'],
    ['another coding last', { 'transfer-encoding': 'chunked, gzip' }, 'connection-end'],
    ['a coding without a name', { 'transfer-encoding': '' }, 'connection-end'],
    ['the same length twice', { 'content-length': ['5', '5'] }, 5],
    ['a list of the same length', { 'content-length': '5, 5' }, 5],
    ['neither', {}, 'connection-end'],
    ['chunks and a length', { ...LENGTH, ...CHUNKED }, 'last-chunk'],
    ['a length and another coding', { ...LENGTH, 'transfer-encoding': 'identity' }, 5],
    ['a length and a coding without a name', { ...LENGTH, 'transfer-encoding': '' }, 5],
  ])('with %s ends there', (_, headers, end) => {
    expect(endOf(headers)).toBe(end)
  })

  it.each([LENGTH, CHUNKED, {}])(
    'to HEAD, or of 204 and 304, is empty, with any header: %j',
    (headers) => {
      for (const status of [204, 304]) expect(endOf(headers, status)).toBe(0)
      for (const status of [200, 404]) expect(endOf(headers, status, true)).toBe(0)
    },
  )

  it.each(['', '-1', '+5', '0x5', '5.0', '5e1', ' 5', '5 5', 'many', '９', '9007199254740992'])(
    'ends with the connection if its length is no number of bytes: %j',
    (length) => {
      expect(endOf({ 'content-length': length })).toBe('connection-end')
      expect(endOf({ 'content-length': length, ...CHUNKED })).toBe('last-chunk')
      expect(endOf({ 'content-length': length }, 304)).toBe(0)
    },
  )

  it.each<[string, ResponseHeaders]>([
    ['two lengths', { 'content-length': ['5', '6'] }],
    ['a list of lengths', { 'content-length': '5, 6' }],
    ['a length in two spellings', { 'content-length': '5, 05' }],
    ['a list with an empty element', { 'content-length': '5,' }],
  ])('with %s is refused, even if the response has no body', (_, headers) => {
    for (const [status, isHead] of [
      [200, false],
      [200, true],
      [304, false],
    ] as const) {
      expect(() => endOf(headers, status, isHead)).toThrow(
        expect.objectContaining({ code: 'invalid-response' }),
      )
    }
  })
})

it('interim responses, 204 and 304 have no body', () => {
  expect([100, 199, 200, 204, 205, 304, 404].map(hasNoBody)).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
    false,
  ])
})
