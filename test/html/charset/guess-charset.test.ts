import { describe, expect, it } from 'vitest'
import { guessCharset } from '../../../src/html/charset/guess-charset.ts'

/** A sentence in each encoding, as base64. */
const SENTENCES: Readonly<Record<string, string>> = {
  gb18030:
    'zfjC58XAs+bKx9K71tbX1Lav5K/AwM340rO1xLPM0PKjrMv8tNPSu7j20rPD5rP2t6KjrNHY18XSs8Pmyc+1xMG0vdOyu7bPt6LP1tDCtcTSs8Pmo6yyorDRy/zDx7GjtObPwsC0oaM=',
  big5: 'uvS49Kqmws6sT6RAutim27DKwnPE/br0rbaqurV7pqGhQaWmsXGkQK3TrbatsaVYtW+hQap1tduttq2xpFequrNztbKko8JftW+ye7dzqrqttq2xoUGow6fipaatzMB4pnOkVajToUM=',
  shift_jis:
    'g06DjYFbg4mCzYNFg0aDdYN5gVuDV4LwjqmTrpNJgsmPhInxgreC6YN2g42DT4OJg4CCxYKgguiBQYN5gVuDV4LJgqCC6YOKg5ODToLwgr2Cx4LBgsSQVoK1gqKDeYFbg1eC8IypgsKCr4LcgreBQg==',
  'euc-jp':
    'pa+l7aG8pemkz6Wmpael1qXaobyluKTyvKvGsMWqpMu95LLzpLmk66XXpe2lsKXppeCkx6SipOqhoqXaobyluKTLpKKk66XqpfOlr6TypL+kyaTDpMa/t6S3pKSl2qG8pbik8rirpMSksaTepLmhow==',
  'iso-2022-jp':
    'GyRCJS8lbSE8JWkkTyUmJSclViVaITwlOCRyPCtGMEUqJEs9ZDJzJDkkayVXJW0lMCVpJWAkRyQ5ISMbKEI=',
  'euc-kr':
    'xam30bevtMIgwKUgxuTAzMH2uKYgwNq1v8C4t84gtbm+xrTZtM+0wiDHwbfOsde3pcC4t84sIMbkwMzB9r+hIMDWtMIguLXFqbimILX7tvMgu/W3zr/uIMbkwMzB9rimIMOjvsazwLTPtNku',
  'windows-1251':
    'z+7o8eru4vvpIPDu4e7yIO7h9e7k6PIg8fLw4O3o9vsg8eDp8uAsIPHr5eTz5fIg7+4g7eDp5OXt7fvsIO3gIO3o9SDx8fvr6uDsIOgg8e718ODt/+XyIO3u4vvlIPHy8ODt6Pb7Lg==',
  'koi8-r':
    '8M/J08vP19nKINLPws/UIM/CyM/EydQg09TSwc7Jw9kg08HK1MEsINPMxcTVxdQg0M8gzsHKxMXOztnNIM7BIM7JyCDT09nMy8HNIMkg08/I0sHO0cXUIM7P19nFINPU0sHOycPZLg==',
  'koi8-u':
    '69LB1czF0iDawdfBztTB1tWkINPUz9KmzsvJINPBytTVLCDazsHIz8TJ1Ngg1dOmINDP08nMwc7O0SCmINemxNemxNWkIKfIINrBIN7F0sfPwCwgxM/LySDOxSDawczJ28nU2NPRIM7P18nILg==',
  'windows-1255':
    '5Obn7O8g9+X44CDg+iDk4/Tp7SD57CDk4Pr4LCDu5fbgIOD6IOvsIOT36fnl+OntIOXy5ffhIODn+Onk7SDh8eP4IPfh5fIsIPLjIPns4CDw+eD4IOPzIOfj+SDh4en6zvH0+C4=',
  'windows-1252':
    'RGVyIENyYXdsZXIgbOR1ZnQg/GJlciBkaWUgU2VpdGVuLCBo9nJ0IGF1ZiBkaWUgUmVnZWxuIHVuZCBm/GhydCBCdWNoIGRhcvxiZXIsIHdhcyBlciBzY2hvbiBnZXNlaGVuIGhhdCCWIGb8ciBzcOR0ZXIu',
}

function pageOf(text: Buffer): Buffer {
  const parts = ['<html><body class="a"><p><a href="/index.html">', text, '</a></p></body></html>']
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

describe('detect', () => {
  it.each(Object.entries(SENTENCES))('recognizes a page in %s by its bytes', (encoding, base64) => {
    expect(guessCharset(pageOf(Buffer.from(base64, 'base64')))).toBe(encoding)
  })

  it.each(['', 'plain ASCII', 'żółw 龜 \u{1F422}'])('recognizes valid UTF-8', (text) => {
    expect(guessCharset(Buffer.from(text))).toBe('utf-8')
  })

  it('recognizes UTF-8 even if the page is truncated within a character', () => {
    expect(guessCharset(Buffer.from('\u{1F422}龜龜').subarray(0, -1))).toBe('utf-8')
    expect(guessCharset(Buffer.from('龜龜\u{1F422}').subarray(0, -3))).toBe('utf-8')
  })

  it.each(['<p>Café\n', '<p>à Orléans, café.\n', '<p>\xff\xff'])(
    'recognizes that %j is not UTF-8, although it ends with its only malformed bytes',
    (text) => {
      expect(guessCharset(Buffer.from(text, 'latin1'))).not.toBe('utf-8')
    },
  )

  it.each(['utf-16le', 'utf-16be'])('recognizes %s by its zero bytes', (encoding) => {
    const body = Buffer.from('<html><title>龜龜龜龜龜龜</title>', 'utf16le')
    expect(guessCharset(encoding === 'utf-16le' ? body : body.swap16())).toBe(encoding)
  })

  it('returns an encoding for any bytes', () => {
    expect(guessCharset(Buffer.alloc(100_000, 0xff))).toEqual(expect.any(String))
    expect(guessCharset(Buffer.alloc(100_000, '<\xff', 'latin1'))).toEqual(expect.any(String))
    expect(guessCharset(Buffer.alloc(100_000))).toBe('utf-8')
  })
})
