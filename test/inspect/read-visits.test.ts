import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readVisits } from '../../src/inspect/read-visits.ts'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

async function visitsIn(lines: readonly object[]) {
  await writeFile(path('visits.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const visits: object[] = []
  for await (const visit of readVisits(path('visits.jsonl'))) visits.push(visit)
  return visits
}

it('fields that are null are absent, as in the output of jq', async () => {
  const visit = { url: 'http://a/', status: 200, data: { price: null } }
  expect(await visitsIn([{ ...visit, title: null, error: null, ms: null }])).toEqual([visit])
})

it('a URL of an exported queue is refused', async () => {
  expect(await visitsIn([{ url: 'http://a/', status: 200, host: 'a' }])).toHaveLength(1)
  const lines = [{ url: 'http://a/', depth: 1, host: 'a' }]
  await expect(visitsIn(lines)).rejects.toThrow('line 1: expected a visit, not a URL of --export')
})

it('a visit with data that nests too deeply is refused', async () => {
  const data = `${'{"0":'.repeat(5_000)}7${'}'.repeat(5_000)}`
  await writeFile(path('deep.jsonl'), `{"url":"http://a/"}\n{"url":"http://a/","data":${data}}\n`)
  const { code, stderr } = await callCrawl(['diff', path('deep.jsonl'), path('deep.jsonl')])
  const expected = 'line 2: expected JSON with at most 1,000 nested lists and objects, got more'
  expect([code, stderr]).toEqual([2, `crawl: ${path('deep.jsonl')}: ${expected}\n`])
})

it('a field of another type is refused', async () => {
  const lines = [{ url: 'http://a/', status: '200' }]
  await expect(visitsIn(lines)).rejects.toThrow('line 1: expected a number as `status`')
  const failed = [{ url: 'http://a/', error: { code: 'timeout', message: {} } }]
  await expect(visitsIn(failed)).rejects.toThrow('line 1: expected a text as `error.message`')
})
