import { describe, expect, it } from 'vitest'
import { encodeQuery } from '../../src/url/legacy-query.ts'

describe('encodeQuery', () => {
  it.each([
    ['gbk', '?q=中', '?q=%D6%D0'],
    ['gb2312', '?q=中', '?q=%D6%D0'],
    ['gb18030', '?\u{1f600}', '?%949%FC6'],
    ['big5', '?q=中', '?q=%A4%A4'],
    ['shift_jis', '?q=表', '?q=%95\\'],
    ['euc-jp', '?q=日', '?q=%C6%FC'],
    ['euc-kr', '?q=한', '?q=%C7%D1'],
    ['windows-1251', '?q=Я', '?q=%DF'],
    ['iso-8859-1', '?q=€', '?q=%80'],
    ['utf-16le', '?q=é', '?q=%C3%A9'],
    ['replacement', '?q=é', '?q=%C3%A9'],
    ['no-such-encoding', '?q=é', '?q=%C3%A9'],
  ])('encodes the query in %s', (encoding, href, encoded) => {
    expect(encodeQuery(href, encoding)).toBe(encoded)
  })

  it('inserts a character reference for characters outside of the encoding', () => {
    expect(encodeQuery('?я中\u{1f600}', 'windows-1251')).toBe('?%FF%26%2320013%3B%26%23128512%3B')
    expect(encodeQuery('?\ud800', 'gbk')).toBe('?%26%2365533%3B')
  })

  it('encodes the query as a whole if the encoding is stateful', () => {
    expect(encodeQuery('?日\n本', 'iso-2022-jp')).toBe(encodeQuery('?日本', 'iso-2022-jp'))
    expect(encodeQuery('?\u000ea', 'iso-2022-jp')).toBe('?%26%2365533%3Ba')
  })

  it("doesn't change path, fragment and ASCII", () => {
    expect(encodeQuery('/é?é#é', 'windows-1252')).toBe('/é?%E9#é')
    expect(encodeQuery('/é?a b#é?é', 'windows-1252')).toBe('/é?a b#é?é')
  })

  it('drops characters that the URL parser would have dropped before encoding', () => {
    expect(encodeQuery('?é\t\u00e9 \n', 'windows-1252')).toBe('?%E9%E9')
    expect(encodeQuery('?é #', 'windows-1252')).toBe('?%E9%20#')
  })
})
