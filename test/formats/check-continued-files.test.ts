import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'

const path = useFolder()

const pages = { '/': '<a href=/1>x</a><a href=/2>x</a>', '/1': 'x', '/2': 'x' }

describe('a file that --force would continue in another form', () => {
  it.each([
    ['-f csv', '-f jsonl', 'the format that it began with, csv, got jsonl'],
    ['-f csv', '-f sitemap', 'the format that it began with, csv, got sitemap'],
    ['--print {url}', '-f csv', 'the format that it began with, template, got csv'],
    [
      '-f csv --fields url,status',
      '-f csv --fields status,url',
      'the columns that it began with, got others by --fields, --extract or --response-headers',
    ],
    [
      '-f csv',
      '-f csv --extract t=title',
      'the columns that it began with, got others by --fields, --extract or --response-headers',
    ],
    [
      '-f csv --response-headers date',
      '-f csv --response-headers vary',
      'the columns that it began with, got others by --fields, --extract or --response-headers',
    ],
  ])('is refused, and another file is not: %s, then %s', async (first, second, problem) => {
    const site = await serveSite(pages)
    const file = path('visits')
    const crawl = (form: string, ...args: readonly string[]) =>
      callCrawl([`${site.url}/`, '-q', '--state', path('state'), ...form.split(' '), ...args])
    expect((await crawl(first, '-o', file, '--max-pages', '1')).code).toBe(0)
    const before = await readFile(file, 'utf8')
    expect(await crawl(second, '-o', file, '--force')).toMatchObject({
      code: 6,
      stderr: `crawl: ${file}: expected ${problem}; name another file with -o\n`,
    })
    expect(await readFile(file, 'utf8')).toBe(before)
    expect((await crawl(second, '-o', path('more'), '--force')).code).toBe(0)
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  it('is refused even after the end, before a later round', async () => {
    const site = await serveSite(pages)
    const kept = ['-q', '--state', path('state'), '-o', path('visits')]
    const crawl = (...args: readonly string[]) => callCrawl([`${site.url}/`, ...kept, ...args])
    expect((await crawl('-f', 'jsonl')).code).toBe(0)
    const { stderr } = await crawl('-f', 'csv', '--force')
    expect(stderr).toContain('expected the format that it began with, jsonl, got csv;')
    expect((await crawl('-f', 'csv', '--revisit-after', '0')).code).toBe(6)
    expect(await visitsIn(path('visits'))).toHaveLength(3)
  })

  it('continues with the same columns of headers', async () => {
    const site = await serveSite(pages)
    const file = path('visits.csv')
    const kept = ['-q', '--state', path('state'), '-o', file, '--response-headers', 'date']
    const crawl = (...args: readonly string[]) => callCrawl([`${site.url}/`, ...kept, ...args])
    expect((await crawl('--max-pages', '1')).code).toBe(0)
    expect(await crawl('--depth', '2', '--force')).toMatchObject({ code: 0, stderr: '' })
    expect((await readFile(file, 'utf8')).match(/^http:.+ GMT"$/gm)?.length).toBe(3)
  })

  it('continues with other fields if each line names them', async () => {
    const site = await serveSite(pages)
    const kept = ['-q', '--state', path('state'), '-o', path('out.jsonl')]
    const crawl = (...args: readonly string[]) => callCrawl([`${site.url}/`, ...kept, ...args])
    expect((await crawl('--max-pages', '1')).code).toBe(0)
    expect((await crawl('--fields', 'url', '--force')).code).toBe(0)
    expect((await visitsIn(path('out.jsonl'))).length).toBe(3)
  })
})
