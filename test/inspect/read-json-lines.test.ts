import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const VISITS =
  'expected visits as JSON lines, such as -o visits.jsonl writes, or a directory of --state'

/** Returns what `crawl report` prints about an invalid list of visits, without its file name. */
async function refusalOf(name: string, ...flags: string[]): Promise<string> {
  const { code, stderr } = await callCrawl(['report', path(name), ...flags, '-o', path('a.html')])
  expect(code).toBe(2)
  return stderr.replace(/^crawl: .*?: /, '').trimEnd()
}

it('a file with damaged compressed data is refused as such', async () => {
  const rest = Buffer.alloc(50, 0xff)
  await writeFile(path('a.gz'), Buffer.concat([Buffer.from([0x1f, 0x8b]), rest]))
  await writeFile(path('a.zst'), Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), rest]))
  const damage = 'expected a readable file of visits, got damaged compressed data'
  expect(await refusalOf('a.gz')).toBe(`${damage} (unknown compression method)`)
  expect(await refusalOf('a.zst')).toContain(`${damage} (`)
})

describe('a file of another format', () => {
  it('is recognized, and the error names the file to give instead', async () => {
    const { url } = await serveSite({ '/': '<a href=/a>' })
    const kinds = Object.entries({
      'v.csv': 'CSV',
      'v.csv.gz': 'CSV',
      'v.txt': 'a list of URLs',
      'v.md': 'Markdown',
      'v.xml': 'XML',
      'v.graphml': 'XML',
      'v.dot': 'a graph in DOT',
      'v.sqlite': 'an SQLite database',
      'v.warc.gz': 'a WARC archive',
      'v.cdxj': 'the index of a WARC archive',
      'v.wacz': 'a WACZ or other ZIP archive',
      'v.log': 'lines of --format line',
    })
    const names = kinds.map(([name]) => name).filter((name) => name !== 'v.cdxj')
    const outputs = names.flatMap((name) => ['-o', path(name)])
    const flags = ['-q', '-f', 'line', '--state', path('state')]
    expect(await callCrawl([`${url}/`, ...outputs, ...flags])).toMatchObject({ code: 0 })
    for (const [name, kind] of [...kinds, ['state/crawl.sqlite', 'an SQLite database'] as const]) {
      expect([name, await refusalOf(name)]).toEqual([name, `${VISITS}, got ${kind}`])
    }
    await writeFile(path('v.jsonl'), `{"url":"${url}/"}\n`)
    const links = 'expected the JSON lines that --links writes'
    const { stderr } = await callCrawl(['report', path('v.jsonl'), '--links', path('v.csv')])
    expect(stderr).toBe(`crawl: ${path('v.csv')}: ${links}, got CSV\n`)
    const run = await callCrawl(
      ['diff', path('v.jsonl'), '-'],
      await readFile(path('v.csv'), 'utf8'),
    )
    expect(run).toMatchObject({ code: 2, stderr: `crawl: stdin: ${VISITS}, got CSV\n` })
  })

  it.each([
    ['<!doctype html>\n<title>Report</title>\n', 'HTML'],
    ['[{"url":"http://a.test/"}]\n', 'a JSON list'],
    ['{\n  "url": "http://a.test/"\n}\n', 'a JSON object of several lines'],
    ['\ufeffurl;status\nhttp://a.test/;200\n', 'CSV'],
    ['"url","status"\n', 'CSV'],
    [Buffer.from('\ufeff{"url":"http://a.test/"}\r\n', 'utf16le'), 'text in UTF-16'],
  ])('is recognized by its start, case %#', async (text, kind) => {
    await writeFile(path('v.any'), text)
    expect(await refusalOf('v.any')).toBe(`${VISITS}, got ${kind}`)
  })

  it('is recognized by its first line only, and quoted if it is of no known format', async () => {
    const expected = 'expected a visit, a JSON object with a `url`, got'
    await writeFile(path('v.any'), '{"url":"http://a.test/"}\nurl,status\n')
    expect(await refusalOf('v.any')).toBe(`line 2: ${expected} "url,status"`)
    await writeFile(path('v.any'), 'not json, but text\n')
    expect(await refusalOf('v.any')).toBe(`line 1: ${expected} "not json, but text"`)
  })
})

it('an incomplete last line, which a killed crawl leaves, is passed over, even as the only one', async () => {
  for (const whole of ['{"url":"http://a.test/"}\n', '']) {
    await writeFile(path('cut.jsonl'), `${whole}{"url":"http://a.test/b","sta`)
    const args = ['report', path('cut.jsonl'), '-o', path('c.html'), '--overwrite']
    const { code, stderr } = await callCrawl(args)
    expect({ code, stderr }).toMatchObject({ code: 0 })
  }
  await writeFile(path('cut.jsonl'), '{url: "http://a.test/"')
  expect(await refusalOf('cut.jsonl')).toContain('line 1: expected a visit')
})

it.each([
  ['{"url":"http://a.test/","depth":1,"reason":"depth"}', 'not a URL of --skipped'],
  ['{"from":"http://a.test/","to":"http://a.test/b"}', 'not a link of --links'],
  ['{"level":30,"msg":"Crawl"}', 'not a line of the log'],
])('a line of another output is recognized: %s', async (line, expected) => {
  await writeFile(path('s.jsonl'), `${line}\n`)
  expect(await refusalOf('s.jsonl')).toContain(`line 1: expected a visit, ${expected}, got `)
})

it('a byte order mark before the first visit, as editors on Windows write it, is ignored', async () => {
  await writeFile(path('marked.jsonl'), '\uFEFF{"url":"http://a.test/"}\n')
  const { code, stderr } = await callCrawl(['report', path('marked.jsonl'), '-o', path('m.html')])
  expect({ code, stderr }).toMatchObject({ code: 0 })
})
