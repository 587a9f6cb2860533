import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder } from '../support/state-run.ts'
import { unzstd } from '../support/unzstd.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()

it('compressed outputs have the same content as plain ones, and other commands read them', async () => {
  const { url } = await serveTree(10)
  const names = ['a.jsonl', 'a.jsonl.gz', 'a.jsonl.zst', 'a.csv', 'a.csv.gz', 'a.txt.zst']
  const outputs = names.flatMap((name) => ['-o', path(name)])
  const beside = ['--links', path('links.jsonl.zst'), '--skipped', path('skipped.jsonl.gz')]
  const run = await callCrawl([`${url}/1`, '-q', '-d', '2', ...outputs, ...beside])
  expect(run).toMatchObject({ code: 0, stderr: '' })
  const bytes = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path(name))] as const)),
  )
  const unpacked = (name: string) => {
    const content = bytes.get(name) ?? Buffer.alloc(0)
    return (name.endsWith('.gz') ? gunzipSync : unzstd)(content).toString()
  }
  expect(unpacked('a.jsonl.gz')).toBe(String(bytes.get('a.jsonl')))
  expect(unpacked('a.jsonl.zst')).toBe(String(bytes.get('a.jsonl')))
  expect(unpacked('a.csv.gz')).toBe(String(bytes.get('a.csv')))

  const diff = ['diff', path('a.jsonl.gz'), path('a.jsonl.zst'), '--exit-code']
  expect(await callCrawl(diff)).toMatchObject({ code: 0, stderr: '' })
  const reports = ['a.jsonl', 'a.jsonl.zst'].map((name) =>
    callCrawl(['report', path(name), '--links', path('links.jsonl.zst')]),
  )
  const [plain, packed] = (await Promise.all(reports)).map(({ stdout }) => stdout)
  expect(packed).toContain(`${url}/2`)
  expect(packed?.replaceAll('a.jsonl.zst', 'a.jsonl')).toBe(plain)
  const again = await callCrawl(['--seeds', path('a.txt.zst'), '-q', '-d', '0'])
  expect(again.visits.map((visit) => visit.url).sort()).toEqual(
    unpacked('a.txt.zst').trimEnd().split('\n').sort(),
  )
})
