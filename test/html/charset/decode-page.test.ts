import { describe, expect, it } from 'vitest'
import { decodePage, encodingOf } from '../../../src/html/charset/decode-page.ts'

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
  ])('returns for the label %j the encoding %s', (label, encoding) => {
    expect(encodingOf(label)).toBe(encoding)
  })

  it.each(['', 'utf-7', 'utf_8', 'utf-8\u00a0', 'x'.repeat(1_000_000)])(
    'returns undefined for an unknown label',
    (label) => {
      expect(encodingOf(label)).toBeUndefined()
    },
  )
})

describe('decodePage', () => {
  it.each([
    ['utf-16le', 'fffe2d4e', '中'],
    ['utf-16be', 'feff4e2d', '中'],
    ['iso-2022-jp', '1b2442467c1b2842', '日'],
    ['iso-2022-jp', '1b24', '\ufffd$'],
  ])('decodes %s without its BOM', (encoding, bytes, text) => {
    expect(decodePage(Buffer.from(bytes, 'hex'), encoding)).toBe(text)
  })
})
