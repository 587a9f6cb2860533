import { describe, expect, it } from 'vitest'
import { declaredCharset } from '../../../src/html/reference-scanner/declared-charset.ts'

function declared(text: string, contentType?: string): string | undefined {
  return declaredCharset(Buffer.from(text, 'latin1'), contentType)
}

const GBK = '<meta charset=gbk>'

describe('declaredCharset', () => {
  it('prefers a BOM', () => {
    expect(declared(`\xef\xbb\xbf${GBK}`, 'big5')).toBe('utf-8')
    expect(declared(`\xff\xfe${GBK}`, 'big5')).toBe('utf-16le')
    expect(declared(`\xfe\xff${GBK}`, 'big5')).toBe('utf-16be')
  })

  it('then reads the Content-Type, if it names an encoding', () => {
    expect(declared(GBK, 'Big5')).toBe('big5')
    expect(declared(GBK, 'bogus')).toBe('gbk')
  })

  it('returns nothing for a page that declares nothing', () => {
    expect(declared('<html><head><title>x</title>')).toBeUndefined()
  })

  it.each([
    ['charset', GBK, 'gbk'],
    ['charset in quotes and upper case', `<META CHARSET = " GBK ">`, 'gbk'],
    ['charset after slashes', '<meta/charset=gbk/x/>', undefined],
    ['charset between slashes', '<meta/charset="gbk"/>', 'gbk'],
    ['http-equiv', '<meta http-equiv=Content-Type content="text/html; charset=gbk">', 'gbk'],
    [
      'http-equiv after its content',
      '<meta content="charset = \'gbk\' x" http-equiv=content-type>',
      'gbk',
    ],
    ['content without http-equiv', '<meta content="text/html; charset=gbk">', undefined],
    [
      'content with an open quote',
      '<meta http-equiv=content-type content="charset=\'gbk">',
      undefined,
    ],
    [
      'content with a second charset',
      '<meta http-equiv=content-type content="charset charset=gbk;x">',
      'gbk',
    ],
    [
      'charset next to content',
      '<meta http-equiv=content-type content="charset=big5" charset=gbk>',
      'gbk',
    ],
    ['an unknown charset, then a known one', '<meta charset=x><meta charset=gbk>', 'gbk'],
    ['the first of two charsets', '<meta charset=gbk><meta charset=big5>', 'gbk'],
    ['a duplicate attribute', '<meta charset=gbk charset=big5>', 'gbk'],
    ['UTF-16, which must be UTF-8', '<meta charset=utf-16be>', 'utf-8'],
    ['x-user-defined, which must be windows-1252', '<meta charset=x-user-defined>', 'windows-1252'],
    ['a comment around it', `<!--${GBK}--><meta charset=big5>`, 'big5'],
    ['a comment that closes at once', `<!-->${GBK}-->`, 'gbk'],
    ['an attribute around it', `<p title="${GBK}"><meta charset=big5>`, 'big5'],
    [
      'an end tag, a doctype and a bogus comment before it',
      `</p x=">"><!DOCTYPE x><?x ?>${GBK}`,
      'gbk',
    ],
    ['another name with the same start', '<metal charset=gbk>', undefined],
    ['a truncated tag', '<meta charset=gbk', undefined],
    ['the last of 1,024 bytes', `${' '.repeat(1024 - GBK.length)}${GBK}`, 'gbk'],
    ['one byte too late', `${' '.repeat(1025 - GBK.length)}${GBK}`, undefined],
    ['an XML declaration', '<?xml version="1.0" encoding="gbk"?><p>', 'gbk'],
    ['an XML declaration in single quotes', "<?xml encoding = 'gbk'>", 'gbk'],
    ['meta against an XML declaration', `<?xml encoding="big5"?>${GBK}`, 'gbk'],
    ['an XML declaration of UTF-16', '<?xml encoding="utf-16"?>', 'utf-8'],
    ['an XML declaration in UTF-16LE', '<\0?\0x\0m\0l\0', 'utf-16le'],
    ['an XML declaration in UTF-16BE', '\0<\0?\0x\0m\0l', 'utf-16be'],
  ])('reads %s', (_, html, charset) => {
    expect(declared(html)).toBe(charset)
  })
})
