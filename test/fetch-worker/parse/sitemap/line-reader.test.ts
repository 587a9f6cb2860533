import { expect, it } from 'vitest'
import { LineReader } from '../../../../src/fetch-worker/parse/sitemap/line-reader.ts'

function read(...texts: string[]) {
  const hrefs: string[] = []
  const reader = new LineReader(({ href }) => hrefs.push(href))
  for (const text of texts) reader.write(text)
  reader.end()
  return hrefs
}

it('the line reader returns a URL for each line, with any line ending', () => {
  expect(read('http://h/1\nHTTPS://h/2\r\nhttp://h/3\rhttp://h/4')).toEqual([
    'http://h/1',
    'HTTPS://h/2',
    'http://h/3',
    'http://h/4',
  ])
})

it('the line reader drops white space around a URL, and anything after it', () => {
  expect(read(' \thttp://h/1 \n\n  \nhttp://h/2 2025-01-01\n')).toEqual([
    'http://h/1',
    'http://h/2',
  ])
})

it.each(['/1', 'h/1', 'ftp://h/1', 'http://', '# http://h/1', 'Sitemap: http://h/1', '\0'])(
  'the line reader skips the line "%s"',
  (line) => {
    expect(read(`${line}\nhttp://h/2`)).toEqual(['http://h/2'])
  },
)

it('the line reader reads lines that arrive in pieces', () => {
  expect(read('http:', '//h/1', '\r', '\nhttp://h/2', '')).toEqual(['http://h/1', 'http://h/2'])
})

it('the line reader skips a line longer than any URL, also one in pieces', () => {
  const long = `http://h/${'x'.repeat(8_000)}`
  expect(read(long, 'y\n', `${' '.repeat(9_000)}http://h`, '/1')).toEqual(['http://h/1'])
})
