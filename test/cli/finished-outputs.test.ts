import { readFile, rename, rm, truncate } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { formatCount } from '../../src/english-text.ts'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()
const AT_END = ['a.xml', 'a.dot', 'a.sqlite', 'a.cdxj']

/** Runs a crawl to its end. Returns its command, and its site. */
async function finish() {
  const site = await serveTree(5)
  const names = ['a.jsonl', 'a.csv.gz', 'a.xml', 'a.dot', 'a.sqlite', 'a.warc.gz']
  const outputs = names.flatMap((name) => ['-o', path(name)])
  const command = [`${site.url}/1`, '-q', '-d', '9', ...outputs, '--state', path('state')]
  expect((await callCrawl(command)).code).toBe(0)
  return { command, site }
}

it.each<[string, (file: string) => Promise<void>, string]>([
  [
    'a.jsonl',
    (file) => rename(file, path('elsewhere')),
    'none: move it back, or name it at its new place',
  ],
  ['a.csv.gz', (file) => truncate(file, 20), '20: restore it'],
  ['a.warc.gz', (file) => rm(file), 'none: move it back, or name it at its new place'],
])('a finished crawl reports a changed or missing output: %s', async (name, harm, found) => {
  const { command } = await finish()
  const { length } = await readFile(path(name))
  await harm(path(name))
  const message = `${path(name)}: expected the ${formatCount(length)} bytes that the crawl had written, got ${found}, or continue with another file and --force`
  for (const args of [command, ['--state', path('state')]]) {
    expect(await callCrawl(args, '', { cwd: path() })).toMatchObject({
      code: 6,
      stderr: `crawl: ${message}\n`,
    })
  }
})

it('a finished crawl recreates missing outputs that are made at its end, without a request', async () => {
  const { command, site } = await finish()
  const { length } = site.requests
  const read = (names: readonly string[]) =>
    Promise.all(names.map((name) => readFile(path(name), 'latin1')))
  const before = await read(AT_END)
  for (const name of AT_END) await rm(path(name))
  const { code, stderr } = await callCrawl(command)
  expect([code, stderr.trimEnd().split('\n').sort()]).toEqual([
    0,
    AT_END.map((name) => `crawl: ${path(name)}: is missing and will be written again`).sort(),
  ])
  expect(await read(AT_END)).toEqual(before)
  expect(site.requests).toHaveLength(length)
  expect(await visitsIn(path('a.jsonl'))).toHaveLength(5)
  expect(await callCrawl(command)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  const loud = command.filter((arg) => arg !== '-q')
  expect((await callCrawl(loud)).stderr).toContain('this crawl is finished, with 5 visits')
})
