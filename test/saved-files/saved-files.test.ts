import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SavedFiles } from '../../src/saved-files/saved-files.ts'
import { growth, SLACK } from '../support/growth.ts'

const open = () => new SavedFiles(new DatabaseSync(':memory:'), '/files')
const page = (path: string) => ({ url: `http://a${path}`, type: 'text/html' })

describe('the files of a folder:', () => {
  it.each([
    ['differ only in case', ['/b', '/B'], ['a/b.html', 'a/B-2.html']],
    ['are the page and a file of the same name', ['/b', '/b.html'], ['a/b.html', 'a/b-2.html']],
    ['are a file and a folder', ['/b.html', '/b.html/c'], ['a/b.html', 'a/b.html-2/c.html']],
    ['are a folder and a file', ['/b.html/c', '/b.html'], ['a/b.html/c.html', 'a/b-2.html']],
    [
      'are spellings of ß',
      ['/%E1%BA%9E', '/%C3%9F', '/SS'],
      ['a/ẞ.html', 'a/ß-2.html', 'a/SS-3.html'],
    ],
    ['are two spellings of a letter', ['/%C3%A9', '/e%CC%81'], ['a/é.html', 'a/é-2.html']],
    ['share a folder', ['/b/c', '/B/d'], ['a/b/c.html', 'a/B/d.html']],
  ])('all have different names if URLs %s', (_, paths, files) => {
    const saved = open()
    expect(paths.map((path) => saved.assignFile(page(path)))).toEqual(files)
  })

  it('files of http and https differ, and keep their names', () => {
    const saved = open()
    saved.assignFile(page('/b'))
    expect(saved.assignFile({ ...page('/b'), url: 'https://a/b' })).toBe('a/b-2.html')
    expect(saved.assignFile(page('/b'))).toBe('a/b.html')
    expect(saved.assignFile({ ...page('/b'), type: 'text/plain' })).toBe('a/b.txt')
  })

  it('files are found by URL, and through redirects', () => {
    const saved = open()
    saved.addRedirect('http://a/c', 'http://a/d')
    saved.addRedirect('http://a/d', 'http://a/b')
    saved.addRedirect('http://a/e', 'http://a/e')
    saved.assignFile(page('/b'))
    expect(['/b', '/c', '/e', '/f'].map((path) => saved.fileOf(`http://a${path}`))).toEqual([
      'a/b.html',
      'a/b.html',
      undefined,
      undefined,
    ])
  })

  it('no file is in the way of another, for any URLs', () => {
    const part = fc.constantFrom('a', 'A', 'a.html', 'a-2', 'index', '', 'é', 'e%CC%81', 'a?b')
    const path = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts) => `/${parts.join('/')}`)
    const check = (paths: readonly string[]) => {
      const saved = open()
      const urls = new Set(paths.map((each) => new URL(`http://a${each}`).href))
      const files = [...urls].map((url) => saved.assignFile({ url, type: 'text/html' }))
      const folded = files.map((file) => file.toLowerCase().normalize('NFC'))
      expect(new Set(folded).size).toBe(urls.size)
      const isFolder = (file: string) => folded.some((other) => other.startsWith(`${file}/`))
      expect(folded.filter(isFolder)).toEqual([])
    }
    fc.assert(fc.property(fc.array(path, { maxLength: 12 }), check), { numRuns: 100 })
  })

  it.each([
    ['one name', (number: number) => [`/b?${spelling(number)}`]],
    [
      'names of folders',
      (number: number) => [`/b@${spelling(number)}`, `/b@____________/${number}`],
    ],
    ['one name in any case', (number: number) => [`/b.${letters(number)}`]],
  ])('naming takes linear time if many URLs lead to %s', async (_, pathsOf) => {
    const place = (count: number) => {
      const saved = open()
      for (let number = 0; number < count; number++) {
        for (const path of pathsOf(number)) saved.assignFile({ url: `http://a${path}`, type: '' })
      }
    }
    expect(await growth(place, 64)).toBeLessThan(SLACK)
  })

  it.each(['../dear.txt', '..\\dear.txt', 'C:dear.txt', 'a/b.html:dear'])(
    'a stored name that leads elsewhere on some system is damage: %s',
    (name) => {
      const database = new DatabaseSync(':memory:')
      const saved = new SavedFiles(database, '/mirror')
      saved.assignFile(page('/b'))
      database.prepare('UPDATE saved SET file = ?').run(name)
      expect(() => saved.fileOf('http://a/b')).toThrow('expected a file of the folder')
    },
  )

  it('numbering continues where an earlier run stopped', () => {
    const database = new DatabaseSync(':memory:')
    const paths = Array.from({ length: 9 }, (_, number) => `/b?${spelling(number)}`)
    const files = paths.map((path) => new SavedFiles(database, '/files').assignFile(page(path)))
    const numbers = Array.from({ length: 8 }, (_, number) => `a/b@____________-${number + 2}.html`)
    expect(files).toEqual(['a/b@____________.html', ...numbers])
  })
})

/** Returns twelve characters, different for each number, that no file name may contain. */
function spelling(number: number): string {
  return number.toString(2).padStart(12, '0').replaceAll('0', '*').replaceAll('1', '|')
}

/** Returns an extension of twelve letters, in a different case for each number. */
function letters(number: number): string {
  return number.toString(2).padStart(12, '0').replaceAll('0', 'x').replaceAll('1', 'X')
}
