import { rmSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CreatedFiles } from '../../src/state/created-files.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it('recognizes a file even if the crawl was killed right after its creation', () => {
  const file = path('visits.jsonl')
  const before = new CreatedFiles(path())
  before.announce(file)
  const created = new CreatedFiles(path())
  expect(created.has(file)).toBe(false)
  writeFileSync(file, '')
  expect([created.has(file), created.has(path('other.jsonl'))]).toEqual([true, false])
})

it('does not recognize a file that another crawl has put in the place of its own', () => {
  const file = path('visits.jsonl')
  const created = new CreatedFiles(path())
  created.announce(file)
  writeFileSync(file, '')
  created.add(file)
  expect(created.has(file)).toBe(true)
  rmSync(file)
  writeFileSync(path('taken inode'), '')
  writeFileSync(file, '')
  expect(created.has(file)).toBe(false)
})

it('does not recognize a file that existed before it would have been created', () => {
  const file = path('visits.jsonl')
  writeFileSync(file, '')
  const created = new CreatedFiles(path())
  created.announce(file)
  expect(created.has(file)).toBe(false)
})
