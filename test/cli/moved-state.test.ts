import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'
import { filesIn } from '../warc/read-wacz.ts'
import { serveTree } from './tree-site.ts'

const PAGES = 12
const path = useFolder()

it.each([
  ['was renamed', (from: string, to: string) => rename(from, to)],
  [
    'was copied to another place, and is gone from the old one',
    async (from: string, to: string) => {
      await cp(from, to, { recursive: true })
      await rm(from, { recursive: true })
    },
  ],
])('a crawl continues its files if the folder with all of them %s', async (_, move) => {
  const site = await serveTree(PAGES)
  const outputs = ['a.jsonl', 'a.warc.gz', 'a.wacz', 'a.dot'].flatMap((name) => ['-o', name])
  const further = ['--save-bodies', 'mirror', '--skipped', 'skipped', '--links', 'links.jsonl']
  const command = [`${site.url}/1`, '-q', '-d', '9', '--state', 'state', ...outputs, ...further]
  await mkdir(path('old'))
  const first = await callCrawl([...command, '--max-pages', '5'], '', { cwd: path('old') })
  expect(first.code).toBe(0)
  await move(path('old'), path('new'))
  const second = await callCrawl(command, '', { cwd: path('new') })
  expect(second).toMatchObject({ code: 0, stderr: '' })
  const urls = (await visitsIn(path('new', 'a.jsonl'))).map(({ url }) => url)
  expect([urls.length, new Set(urls).size]).toEqual([PAGES, PAGES])
  const index = await readFile(path('new', 'a.cdxj'), 'utf8')
  expect(index.trimEnd().split('\n')).toHaveLength(PAGES + 1)
  expect(index).toContain('/robots.txt')
  const archived = String((await filesIn(path('new', 'a.wacz'))).get('pages/pages.jsonl'))
  expect(archived.trimEnd().split('\n').slice(1)).toHaveLength(PAGES)
  const start = await readFile(
    path('new', 'mirror', new URL(site.url).host.replace(':', '+'), '1.html'),
    'utf8',
  )
  expect(start).toContain('href="2.html"')
  expect((await callCrawl(command, '', { cwd: path('new') })).code).toBe(0)
})

it('a crawl refuses to continue a renamed file in the format of its new extension', async () => {
  const site = await serveTree(PAGES)
  const command = [`${site.url}/1`, '-q', '-d', '9', '--state', path('state'), '-o']
  await callCrawl([...command, path('a.jsonl'), '--max-pages', '5'])
  await rename(path('a.jsonl'), path('a.csv'))
  expect(await callCrawl([...command, path('a.csv')])).toMatchObject({
    code: 6,
    stderr: `crawl: ${path('a.csv')}: expected the format that it began with, jsonl, got csv; name another file with -o\n`,
  })
  await rename(path('a.csv'), path('b.jsonl'))
  expect((await callCrawl([...command, path('b.jsonl')])).code).toBe(0)
  expect(await visitsIn(path('b.jsonl'))).toHaveLength(PAGES)
})

it('a crawl says before --overwrite that it would not write the records of a replaced file again', async () => {
  const site = await serveTree(PAGES)
  const command = [`${site.url}/1`, '-q', '-d', '9', '--state', 'state', '-o', 'a.jsonl']
  await mkdir(path('old'))
  await callCrawl([...command, '--max-pages', '5'], '', { cwd: path('old') })
  await cp(path('old'), path('new'), { recursive: true })
  expect(await callCrawl([...command, '--force'], '', { cwd: path('new') })).toMatchObject({
    code: 2,
    stderr:
      "crawl: a.jsonl: expected a file that doesn't exist yet; --overwrite replaces it, but pages that are done are not visited again\n",
  })
})
