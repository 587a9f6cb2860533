import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { keepsTheContract, writeVisits } from '../formats/output-contract.ts'
import { useFolder } from '../support/state-run.ts'
import { archivedVisit } from './archived-visit.ts'
import { filesIn } from './read-wacz.ts'
import { indexByWarcio, readWarc } from './read-warc.ts'

const path = useFolder()

const textOf = (files: Map<string, Buffer>, name: string) => String(files.get(name))
const sha256 = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** Returns the lines of the index, each block of which is read by its place. */
function indexLinesOf(files: Map<string, Buffer>): string[] {
  const [meta, ...places] = textOf(files, 'indexes/index.idx').trimEnd().split('\n')
  expect(meta).toBe('!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}')
  const index = files.get('indexes/index.cdx.gz') ?? Buffer.alloc(0)
  return places.flatMap((line) => {
    const { offset, length, digest } = JSON.parse(line.slice(line.indexOf('{')))
    const block = index.subarray(offset, offset + length)
    expect(digest).toBe(sha256(block))
    const lines = String(gunzipSync(block)).trimEnd().split('\n')
    expect(lines[0]?.startsWith(line.slice(0, line.indexOf(' {')))).toBe(true)
    return lines
  })
}

async function read(file: string) {
  const files = await filesIn(file)
  const archive = join(mkdtempSync(path('read-')), 'data.warc.gz')
  writeFileSync(archive, files.get('archive/data.warc.gz') ?? '')
  const theirs = (await indexByWarcio(archive)).trimEnd().split('\n').filter(Boolean)
  expect(indexLinesOf(files)).toEqual(theirs)
  const [, ...pages] = textOf(files, 'pages/pages.jsonl').trimEnd().split('\n')
  const records = (await readWarc(archive)).map(({ type, url, payload, field }) => {
    return [type, url, String(payload), field('WARC-Refers-To-Target-URI')]
  })
  return [
    ...records,
    ...pages.map((line) => JSON.parse(line)).map(({ url, title }) => [url, title]),
  ]
}

keepsTheContract({ file: 'site.wacz', visit: archivedVisit, read })

// docs/redis.md
it('the records of a WACZ begin after 70 bytes, so those of a killed crawl can be saved', async () => {
  const file = path('saved.wacz')
  await writeVisits(file, [archivedVisit(1)])
  const records = (await filesIn(file)).get('archive/data.warc.gz') ?? Buffer.alloc(0)
  expect(readFileSync(file).subarray(70, 70 + records.length)).toEqual(records)
})

it('a WACZ describes its files and its first page', async () => {
  const file = path('a.wacz')
  await writeVisits(file, [archivedVisit(1), archivedVisit(2)])
  const files = await filesIn(file)
  const description = files.get('datapackage.json') ?? Buffer.alloc(0)
  const { resources, ...about } = JSON.parse(String(description))
  expect(about).toMatchObject({
    ...{ profile: 'data-package', wacz_version: '1.1.1', title: 'Page 1' },
    mainPageUrl: 'http://a.test/1?b=1&A=2',
  })
  const described = [...files].filter(([name]) => !name.startsWith('datapackage'))
  expect(resources).toEqual(
    described.map(([name, content]) => {
      const bytes = content.length
      return { name: name.replace(/.*\//, ''), path: name, hash: sha256(content), bytes }
    }),
  )
  expect(JSON.parse(textOf(files, 'datapackage-digest.json'))).toEqual({
    path: 'datapackage.json',
    hash: sha256(description),
  })
})

it('a WACZ has an index of several blocks, and lists pages with the time of their response', async () => {
  const file = path('b.wacz')
  const visits = Array.from({ length: 700 }, (_, n) => archivedVisit(n))
  await writeVisits(file, visits)
  const files = await filesIn(file)
  expect(textOf(files, 'indexes/index.idx').trimEnd().split('\n')).toHaveLength(4)
  const lines = indexLinesOf(files)
  expect(lines).toHaveLength(700)
  expect(lines.toSorted()).toEqual(lines)
  const pages = textOf(files, 'pages/pages.jsonl').trimEnd().split('\n')
  expect(JSON.parse(pages[3] ?? '')).toEqual({
    ...{ id: '3', url: 'http://a.test/2?b=1&A=2', title: 'Page 2' },
    ts: visits[2]?.exchange.date,
  })
})
