import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { markSkipsCounted } from '../../../src/crawl/checkpoint/mark-skips-counted.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()

it('an unreadable list of skipped URLs is reported by name', async () => {
  const file = path('skipped.jsonl.gz')
  await writeFile(file, Buffer.from('1f8b00'.padEnd(40, '0'), 'hex'))
  const memory = { markSkipsCounted: () => [] }
  await expect(markSkipsCounted(file, memory, new AbortController().signal)).rejects.toMatchObject({
    kind: 'output',
    message: expect.stringMatching(
      `^${file}: expected a readable list of skipped URLs, got [^\\n]+$`,
    ),
  })
})
