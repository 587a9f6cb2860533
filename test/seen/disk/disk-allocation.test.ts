import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { planDiskTable } from '../../../src/seen/disk/disk-allocation.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()
const URLS = 1e13

it('a new table that is larger than the free space is refused, but not one that a crawl resumes', () => {
  const sizes = { expectedUrls: URLS, falsePositiveRate: 0.001 }
  const plan = () => planDiskTable({ name: 'sqlite', directory: path(), ...sizes }, URLS)
  expect(plan().refusal).toMatch("URLs of 100 bytes don't fit on the disk of")
  writeFileSync(path('seen.sqlite'), '')
  expect(plan().refusal).toBeUndefined()
})
