import { mkdir, readdir, readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { textsOf } from '../formats/at-end/read-xml.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'
import { readWarc } from '../warc/read-warc.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()
const HTML = { 'content-type': 'text/html' }
const LEAVING = '<a href=/page>1</a><a href=OTHER/>2</a><a href=/away>3</a><img src=/missing.png>'

describe('the output format', () => {
  it('is chosen by the file extension, and for stdout by --format', async () => {
    const { url } = await serveTree(10)
    const files = ['a.jsonl', 'B.CSV', 'a.db', 'a.warc.gz'].flatMap((name) => ['-o', path(name)])
    const outputs = [...files, '-o', '-', '-f', 'csv']
    const run = await callCrawl([`${url}/1`, '-w', '1', '-q', '-d', '9', ...outputs])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const urls = (await visitsIn(path('a.jsonl'))).map(({ url }) => url)
    expect(urls).toHaveLength(10)
    expect(await readFile(path('B.CSV'), 'utf8')).toBe(run.stdout)
    const rows: { url: string }[] = parse(run.stdout, { columns: true })
    expect(rows.map(({ url }) => url)).toEqual(urls)
    const database = new DatabaseSync(path('a.db'), { readOnly: true })
    const [first] = database.prepare('SELECT * FROM link_urls ORDER BY page, target').all()
    expect(first).toEqual({ page: `${url}/1`, target: `${url}/2`, hop: 'link' })
    expect(database.prepare('SELECT count(*) AS visits FROM visits').get()).toEqual({ visits: 10 })
    database.close()
    const archived = (await readWarc(path('a.warc.gz'))).filter(({ type }) => type === 'response')
    expect(archived.map(({ url }) => url)).toEqual([urls[0], `${url}/robots.txt`, ...urls.slice(1)])
  })

  it('lists only pages of the crawl in a sitemap, and all existing URLs as txt', async () => {
    const other = await serve((_, response) => void response.writeHead(200, HTML).end('x'))
    const site = await serve(({ url }, response) => {
      if (url === '/away') response.writeHead(302, { location: `${other.url}/moved` }).end()
      else if (url === '/robots.txt') response.writeHead(404).end()
      else response.writeHead(200, HTML).end(LEAVING.replaceAll('OTHER', other.url))
    })
    const flags = ['--external', '--assets', '--allow-private', '-q']
    const files = ['-o', path('map.xml'), '-o', path('urls.txt')]
    expect(await callCrawl([`${site.url}/`, ...flags, ...files])).toMatchObject({ code: 0 })
    const pages = [`${site.url}/`, `${site.url}/page`]
    expect(textsOf(path('map.xml'), 'loc')).toEqual(pages)
    const others = [`${site.url}/missing.png`, `${other.url}/`, `${other.url}/moved`]
    const urls = (await readFile(path('urls.txt'), 'utf8')).trimEnd().split('\n')
    expect(urls.toSorted()).toEqual([...pages, ...others].toSorted())
  })

  it('has only the fields of --fields, as CSV and as JSON lines', async () => {
    const site = await serveTree(5)
    const fields = ['--fields', 'url,data.h,status', '--extract', 'h=a', '--text']
    const files = ['-o', path('a.csv'), '-o', path('a.jsonl'), '-o', path('a.md')]
    const args = ['-q', '-d', '9', '--state', path('state'), ...files]
    await callCrawl([`${site.url}/1`, ...args, ...fields, '--max-pages', '2'])
    const other = await callCrawl([`${site.url}/1`, ...args, '--extract', 'h=a', '--text'])
    expect(other).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('--fields was ["url","data.h","status"] and is not set now'),
    })
    expect(await callCrawl([`${site.url}/1`, ...args, ...fields])).toMatchObject({ code: 0 })
    const lines = (await readFile(path('a.csv'), 'utf8')).trimEnd().split('\r\n')
    expect(lines[0]).toBe('url,data.h,status')
    const rows = ['1,2', '2,4', '3,', '4,', '5,'].map((row) => `${site.url}/${row},200`)
    expect(lines.slice(1).sort()).toEqual(rows)
    const visits: object[] = await visitsIn(path('a.jsonl'))
    expect(visits).toHaveLength(5)
    expect(visits[0]).toEqual({ url: `${site.url}/1`, data: { h: '2' }, status: 200 })
    expect(await readFile(path('a.md'), 'utf8')).toMatch(/^\| Status \| Depth \| Page /)
  })

  it('follows --print, also for stdout beside files', async () => {
    const { url } = await serveTree(3)
    const outputs = [
      '--per-host',
      '1',
      '--print',
      '{status}\\t{url}',
      '-o',
      '-',
      '-o',
      path('b.jsonl.gz'),
    ]
    const run = await callCrawl([`${url}/1`, '-q', ...outputs])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toBe(`200\t${url}/1\n200\t${url}/2\n200\t${url}/3\n`)
    expect(await callCrawl(['http://127.0.0.1:1/', '--print', '{statsu}'])).toMatchObject({
      code: 2,
      stderr:
        'crawl: --print: expected a field of the record, such as {url} or {data.price}, for {statsu} (did you mean {status}?), got `{statsu}`\n',
    })
  })

  it.each([
    [['-o', 'out.csv', '-f', 'jsonl'], 'out.csv is not csv, as its name says: --format decides'],
    [
      ['-o', 'out.csv', '--print', '{url}'],
      'out.csv is not csv, as its name says: --print decides',
    ],
    [['-o', 'out.csv', '-f', 'csv'], undefined],
    [['-o', 'out.txt', '--print', '{url}'], undefined],
    [
      ['-o', 'out.csv', '-o', 'out.txt', '--print', '{url}'],
      '--print has no effect, since the extension of each output decides its format',
    ],
    [['-o', 'out.csv', '-o', 'out.txt', '-o', '-', '--print', '{url}'], undefined],
  ])('causes a warning if file names suggest another: %j', async (flags, warning) => {
    const cwd = path()
    const { stderr } = await callCrawl(['http://127.0.0.1:1/', ...flags], '', { cwd })
    const warnings = stderr.match(/\{"level":40[^\n]*/g) ?? []
    expect(warnings.map((line) => JSON.parse(line).msg)).toEqual(
      warning === undefined ? [] : [warning],
    )
  })

  it('cannot be written to the same file twice', async () => {
    const run = await callCrawl(['http://127.0.0.1:1/', '-o', 'a.csv', '-o', 'a.csv'])
    expect(run).toMatchObject({
      code: 2,
      stderr:
        'crawl: --output: expected a file name, or a list of different ones, got `["a.csv","a.csv"]`\n',
    })
  })

  it('must be given if the file name has no extension', async () => {
    const run = await callCrawl(['http://127.0.0.1:1/', '-o', path('a.json.gz')])
    expect(run.code).toBe(2)
    expect(run.stderr).toMatch(/^crawl: .+a\.json\.gz: expected a name that ends in \.jsonl, .+\n$/)
  })

  it.each([
    ['a.csv', './a.csv'],
    ['visits', '../work/visits'],
  ])('cannot be written twice to a file under two names: %s and %s', async (first, second) => {
    const cwd = path('work')
    await mkdir(cwd)
    const args = ['http://127.0.0.1:1/', '-o', first, '-o', second]
    expect(await callCrawl(args, '', { cwd })).toMatchObject({
      code: 2,
      stderr: `crawl: ${second}: expected a separate file, got the same file as ${first}\n`,
    })
    expect(await readdir(cwd)).not.toContain(first)
  })
})
