import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readVisits } from '../../src/inspect/read-visits.ts'
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

it('a field of another type is refused', async () => {
  const lines = [{ url: 'http://a/', status: '200' }]
  await expect(visitsIn(lines)).rejects.toThrow('line 1: expected a number as `status`')
})
