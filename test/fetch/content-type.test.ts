import { describe, expect, it } from 'vitest'
import { isHtml, loadingFile, parseContentType } from '../../src/fetch/content-type.ts'
import { growth, SLACK } from '../support/growth.ts'

describe('parseContentType', () => {
  it.each([
    ['text/html', { type: 'text/html' }],
    ['Text/HTML', { type: 'text/html' }],
    [' text/html ; charset=utf-8', { type: 'text/html', charset: 'utf-8' }],
    ['text/html;charset="windows-1251"', { type: 'text/html', charset: 'windows-1251' }],
    ['text/html; charset="windows-1251', { type: 'text/html', charset: 'windows-1251' }],
    ['text/html; boundary=x; CHARSET = Big5', { type: 'text/html', charset: 'Big5' }],
    ['text/html; charset=utf-8; charset=gbk', { type: 'text/html', charset: 'utf-8' }],
    ['text/html; charset=', { type: 'text/html' }],
    ["text/html; charset='gbk'", { type: 'text/html', charset: 'gbk' }],
    ['text/html; charset=gbk"', { type: 'text/html', charset: 'gbk' }],
    ['text/html; charset=gbk (Chinese)', { type: 'text/html', charset: 'gbk' }],
    ['text/html charset=utf-8', { type: 'text/html' }],
    ['text/html (page)', { type: 'text/html' }],
    ['text/html;;', { type: 'text/html' }],
    ['application/vnd.api+json', { type: 'application/vnd.api+json' }],
  ])('reads %s', (header, expected) => {
    expect(parseContentType(header)).toEqual(expected)
  })

  it.each([
    ['text/plain, text/html'],
    ['text/plain; charset=utf-8, text/html'],
    ['bad, text/html'],
  ])('reads the last of several: %s', (header) =>
    expect(parseContentType(header)).toEqual({ type: 'text/html' }),
  )

  it.each([
    ...[[''], ['html'], ['text/'], ['/html'], ['text html']],
    ...[['*/*'], ['unknown/unknown'], ['application/unknown']],
  ])('returns nothing for %j', (header) => expect(parseContentType(header)).toBeUndefined())

  it.each([' charset=', ' ', 'a,', ';'])('takes time linear in the size of "%s"', async (piece) => {
    for (const head of ['', 'text/html;']) {
      const read = (size: number) => parseContentType(head + piece.repeat(size / piece.length))
      expect(await growth(read, 8_192), head).toBeLessThan(SLACK)
    }
  })
})

describe('isHtml', () => {
  it('accepts the two content types of pages', () => {
    expect(isHtml('text/html')).toBe(true)
    expect(isHtml('application/xhtml+xml')).toBe(true)
    expect(isHtml('text/plain')).toBe(false)
    expect(isHtml('')).toBe(false)
  })
})

describe('loadingFile', () => {
  it.each([
    ['/a', 'text/css', 'style-sheet'],
    ['/a', 'text/javascript', 'script'],
    ['/a', 'application/x-javascript', 'script'],
    ['/a', 'application/manifest+json', 'manifest'],
    ['/site.webmanifest?v=1', 'application/octet-stream', 'manifest'],
    ['/manifest.json', 'application/json', 'manifest'],
    ['/manifest.json', 'text/html', undefined],
    ['/data.json', 'application/json', undefined],
    ['/a.js', 'text/plain', undefined],
  ])('of %s with the type %s is %s', (path, type, kind) => {
    expect(loadingFile(`http://127.0.0.1${path}`, type)).toBe(kind)
  })
})
