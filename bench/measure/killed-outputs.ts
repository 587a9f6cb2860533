import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { unzstd } from '../../test/support/unzstd.ts'

/** Returns the names of one output of each format, in a folder. */
export function outputsIn(folder: string): string[] {
  const names = 'out.jsonl out.csv out.xml out.dot out.graphml out.db out.warc.gz'.split(' ')
  return [...names, ...COMPRESSED].map((name) => join(folder, name))
}

const COMPRESSED = ['packed.jsonl.gz', 'packed.csv.zst', 'packed.xml.gz']

/**
 * Checks with gunzip and zstd the compressed files that a run left behind, whether it was killed or not.
 * @throws Error if a file is incomplete
 */
export function checkCompressed(folder: string): void {
  for (const name of [...COMPRESSED, 'skipped.jsonl.gz', 'links.jsonl.zst']) {
    const file = join(folder, name)
    const isMissing = !existsSync(file) || readFileSync(file).length === 0
    if (!isMissing) execFileSync(name.endsWith('.gz') ? 'gunzip' : 'zstd', ['-tq', file])
  }
}

interface Record {
  readonly url: string
  readonly status?: number
  readonly contentType?: string
  readonly error?: unknown
}

/**
 * Compares the contents of the formats with the JSON lines of the same crawl. Each format must contain each URL once.
 * @throws Error that lists the differences
 */
export function compareOutputs(folder: string): void {
  const read = (name: string) => textIn(join(folder, name))
  const records: Record[] = linesOf(read('out.jsonl')).map((line) => JSON.parse(line))
  const urls = records.map(({ url }) => url)
  const pages = records.filter(({ status, contentType }) => {
    return status === 200 && contentType === 'text/html'
  })
  const answered = records.filter(
    ({ status, error }) => status !== undefined && error === undefined,
  )
  const expected = {
    csv: [urls, linesOf(read('out.csv')).slice(1).map(firstCell)],
    sitemap: [pages.map(({ url }) => url), matches(read('out.xml'), /<loc>([^<]+)</g)],
    dot: [urls, matches(read('out.dot'), /URL="([^"]+)"/g).filter((url) => urls.includes(url))],
    sqlite: [urls, rowsOf(join(folder, 'out.db'))],
    warc: [answered.map(({ url }) => url), responsesIn(join(folder, 'out.warc.gz'))],
    skipped: [[], repeated(linesOf(read('skipped.jsonl.gz')))],
    links: [[], repeated(linesOf(read('links.jsonl.zst')))],
    'jsonl.gz': [[read('out.jsonl')], [read('packed.jsonl.gz')]],
    'csv.zst': [[read('out.csv')], [read('packed.csv.zst')]],
    'xml.gz': [[read('out.xml')], [read('packed.xml.gz')]],
  }
  const problems = Object.entries(expected).flatMap(([name, [wanted = [], found = []]]) => {
    return differences(wanted, found).map((text) => `${name}: ${text}`)
  })
  if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'))
}

function textIn(file: string): string {
  const bytes = readFileSync(file)
  if (file.endsWith('.gz')) return gunzipSync(bytes).toString()
  return (file.endsWith('.zst') ? unzstd(bytes) : bytes).toString()
}

function differences(wanted: readonly string[], found: readonly string[]): string[] {
  const [one, other] = [new Set(wanted), new Set(found)]
  return [
    ...wanted.filter((url) => !other.has(url)).map((url) => `missing ${url}`),
    ...found.filter((url) => !one.has(url)).map((url) => `unknown ${url}`),
    ...repeated(found).map((url) => `twice ${url}`),
  ]
}

function repeated(texts: readonly string[]): string[] {
  return texts.filter((text, at) => texts.indexOf(text) !== at)
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '')
}

function firstCell(line: string): string {
  return line.startsWith('"') ? line.slice(1, line.indexOf('"', 1)) : (line.split(',', 1)[0] ?? '')
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
}

function rowsOf(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database
      .prepare('SELECT url FROM visits')
      .all()
      .map(({ url }) => String(url))
  } finally {
    database.close()
  }
}

/**
 * Returns the URLs of responses and revisits, except robots.txt, which is in archives alone, and may be fetched again by
 * each run. Fails if a gzip member is incomplete.
 */
function responsesIn(file: string): string[] {
  const text = gunzipSync(readFileSync(file)).toString('latin1')
  const responses = text.matchAll(
    /WARC\/1\.1\r\nWARC-Type: (?:response|revisit)\r\n[\s\S]*?WARC-Target-URI: (\S+)\r\n/g,
  )
  return [...responses].map(([, url = '']) => url).filter((url) => !url.endsWith('/robots.txt'))
}
