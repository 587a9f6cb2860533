import { expect, it } from 'vitest'
import { withSequenceNumbers } from '../../src/output/annotated-output.ts'
import type { Output } from '../../src/output/output.ts'
import { recordOf } from '../support/record-of.ts'

it('records continue the numbers of earlier ones', () => {
  const written: string[] = []
  const inner: Output = {
    congested: false,
    open() {},
    write: (visits) => void written.push(...visits.map(({ record }) => record.line)),
    sync: async () => ({}),
    finish: async () => {},
    close: async () => {},
  }
  const output = withSequenceNumbers(inner, 41)
  output.write([{ record: recordOf({ url: 'a' }) }, { record: recordOf({ url: 'b' }) }])
  output.write([{ record: recordOf({ url: 'c' }) }])
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { url: 'a', seq: 42 },
    { url: 'b', seq: 43 },
    { url: 'c', seq: 44 },
  ])
})
