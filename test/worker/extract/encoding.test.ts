import { describe, expect, it } from 'vitest'
import { decodePage, encodingOf, pieceDecoder } from '../../../src/worker/extract/encoding.ts'

describe('encodingOf', () => {
  it.each([
    ['utf8', 'utf-8'],
    [' ISO-8859-1\n', 'windows-1252'],
    ['GB2312', 'gbk'],
    ['x-sjis', 'shift_jis'],
    ['ks_c_5601-1987', 'euc-kr'],
    ['unicode', 'utf-16le'],
    ['x-user-defined', 'x-user-defined'],
    ['hz-gb-2312', 'replacement'],
    ['ISO-2022-KR', 'replacement'],
  ])('knows %j as %s', (label, encoding) => {
    expect(encodingOf(label)).toBe(encoding)
  })

  it.each(['', 'utf-7', 'utf_8', 'utf-8\u00a0', 'x'.repeat(1_000_000)])(
    'knows no other label',
    (label) => {
      expect(encodingOf(label)).toBeUndefined()
    },
  )
})

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

describe('decodePage', () => {
  it.each([
    ['utf-16le', 'fffe2d4e', '中'],
    ['utf-16be', 'feff4e2d', '中'],
    ['iso-2022-jp', '1b2442467c1b2842', '日'],
  ])('decodes %s without its BOM', (encoding, bytes, text) => {
    expect(decodePage(Buffer.from(bytes, 'hex'), encoding)).toBe(text)
  })
})
