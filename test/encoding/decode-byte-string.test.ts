import { describe, expect, it } from 'vitest'
import { hasAsciiDelimiters, pieceDecoder } from '../../src/encoding/decode-byte-string.ts'

describe('pieceDecoder', () => {
  it.each([
    ['gbk', 'd6d0b9fa', '中国'],
    ['gb18030', '95328236', '\u{20000}'],
    ['big5', 'a4a4b0ea', '中國'],
    ['shift_jis', '93fa967b', '日本'],
    ['euc-jp', 'c6fccbdc', '日本'],
    ['euc-kr', 'c7d1bc4e', '한퍷'],
    ['windows-1251', 'cfd0', 'ПР'],
    ['windows-1252', '80', '€'],
    ['x-user-defined', '80', '\uF780'],
    ['utf-8', 'efbbbf41ff', '\uFEFFA\uFFFD'],
  ])('decodes %s', (encoding, bytes, text) => {
    expect(pieceDecoder(encoding)(Buffer.from(bytes, 'hex').toString('latin1'))).toBe(text)
  })
})

describe('hasAsciiDelimiters', () => {
  it.each(['utf-8', 'gb18030', 'shift_jis', 'x-user-defined'])('is true of %s', (encoding) => {
    expect(hasAsciiDelimiters(encoding)).toBe(true)
  })

  it.each(['utf-16le', 'utf-16be', 'iso-2022-jp'])('is false of %s', (encoding) => {
    expect(hasAsciiDelimiters(encoding)).toBe(false)
  })
})
