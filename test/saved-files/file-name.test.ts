import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileNameOf, hasExtension } from '../../src/saved-files/file-name.ts'

function pathOf(url: string, type = 'text/html'): string {
  const { folders, stem, extension } = fileNameOf(new URL(url).href, type)
  return [...folders, stem + extension].join('/')
}

describe('the name of a file', () => {
  it.each([
    ['http://a/', 'text/html', 'a/index.html'],
    ['https://a.example:8080/b/', 'text/html', 'a.example+8080/b/index.html'],
    ['http://a/docs', 'text/html', 'a/docs.html'],
    ['http://a/docs/v1.2', 'text/html', 'a/docs/v1.2.html'],
    ['http://a/x.php?id=1&b=/c', 'text/html', 'a/x.php@id=1&b=_c.html'],
    ['http://a/style.css?v=3', 'text/css', 'a/style@v=3.css'],
    ['http://a/list/?C=M', 'text/html', 'a/list/index@C=M.html'],
    ['http://a/%C3%A9peire', 'text/html', 'a/épeire.html'],
    ['http://a/%E9', 'text/html', 'a/%E9.html'],
  ])('for %s as %s is %s', (url, type, path) => {
    expect(pathOf(url, type)).toBe(path)
  })

  it.each([
    ['http://a/page.html', 'text/plain', 'a/page.html.txt'],
    ['http://a/LICENSE', 'text/plain', 'a/LICENSE.txt'],
    ['http://a/main.rs', 'text/plain', 'a/main.rs'],
    ['http://a/picture', 'image/png', 'a/picture.png'],
    ['http://a/picture.jpg', 'image/png', 'a/picture.jpg'],
    ['http://a/feed.xml', 'application/rss+xml', 'a/feed.xml'],
    ['http://a/a.tar.gz', 'application/gzip', 'a/a.tar.gz'],
    ['http://a/data', 'application/octet-stream', 'a/data'],
    ['http://a/data', '', 'a/data'],
    ['http://a/data', 'nonsense', 'a/data'],
  ])('has an extension for which %s opens as %s', (url, type, path) => {
    expect(pathOf(url, type)).toBe(path)
  })

  it.each([
    ['http://a/..%2f..%2fetc/passwd', 'a/_._.._etc/passwd.html'],
    ['http://a/.htaccess', 'a/_htaccess.html'],
    ['http://a/con', 'a/_con.html'],
    ['http://a/AUX.c/', 'a/_AUX.c/index.html'],
    ['http://a/nul%20.txt', 'a/_nul .txt.html'],
    ['http://a/CONIN$', 'a/_CONIN$.html'],
    ['http://a/console', 'a/console.html'],
    ['http://a/b./c%20/', 'a/b_/c_/index.html'],
    ['http://a//b', 'a/_/b.html'],
    ['http://[::1]/b%3Ac%7C%1B%E2%80%AE', 'a/b_c___.html'.replace('a', '[__1]')],
    ['http://.a/', '_a/index.html'],
  ])('is safe for %s: %s', (url, path) => {
    expect(pathOf(url)).toBe(path)
  })

  it.each([
    ['pdf', 'http://a/paper.PDF', 'application/octet-stream', true],
    ['pdf', 'http://a/download?id=7', 'application/pdf', true],
    ['pdf', 'http://a/paper.pdf', 'text/html', false],
    ['jpg', 'http://a/photo.jpeg', 'image/jpeg', true],
    ['jpeg', 'http://a/photo', 'image/jpeg', true],
    ['jpg', 'http://a/photo.png', 'image/png', false],
    ['html', 'http://a/', 'text/html', true],
    ['rs', 'http://a/main.rs', 'text/plain', true],
    ['constructor', 'http://a/constructor', '', false],
  ])('has the extension %s for %s as %s: %s', (extension, url, type, expected) => {
    expect(hasExtension([extension])(url, type)).toBe(expected)
  })

  it('is short for a long URL, and differs between long URLs', () => {
    const long = `http://a/${'é'.repeat(400)}`
    expect(pathOf(`${long}1`)).toMatch(/^a\/é+-[0-9a-f]{8}\.html$/)
    expect(pathOf(`${long}1`)).not.toBe(pathOf(`${long}2`))
    const deep = `http://a/${'b/'.repeat(2_000)}`
    expect(Buffer.byteLength(pathOf(deep))).toBeLessThan(600)
    expect(pathOf(deep)).not.toBe(pathOf(`${deep}b/`))
  })

  it('never leads out of the folder, for any URL', () => {
    const part = fc.constantFrom(
      '..',
      '%2e',
      '%2F',
      '/',
      '\\',
      '%5c',
      ':',
      '%00',
      ' ',
      '.',
      'a',
      '?',
    )
    const url = fc.array(part).map((parts) => `http://a/${parts.join('')}`)
    const type = fc.constantFrom('text/html', 'text/plain', 'image/png', '')
    const check = (each: string, as: string) => {
      const parts = pathOf(each, as).split('/')
      expect(parts.filter((part) => /^\.|^$|[\\:*?"<>|\p{Cc}]|[. ]$/u.test(part))).toEqual([])
      expect(parts.every((part) => Buffer.byteLength(part) <= 220)).toBe(true)
    }
    fc.assert(fc.property(url, type, check), { numRuns: 200 })
  })
})
