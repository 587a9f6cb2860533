import { expect, it } from 'vitest'
import { threadError } from '../../../src/crawl/worker-pool/thread-error.ts'

it('an error that ended a thread keeps its message and kind, even if its copy is no Error', () => {
  const thrown = { name: 'CrawlerError', kind: 'usage', message: 'no hooks' }
  expect(threadError(thrown)).toMatchObject({ message: 'no hooks', kind: 'usage' })
})
