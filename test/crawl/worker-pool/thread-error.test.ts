import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { threadError } from '../../../src/crawl/worker-pool/thread-error.ts'

it('an error of another realm that ended a thread keeps its message and kind', () => {
  const properties = "{ name: 'CrawlerError', kind: 'usage' }"
  const thrown: unknown = runInNewContext(`Object.assign(new Error('no hooks'), ${properties})`)
  expect(threadError(thrown)).toMatchObject({ message: 'no hooks', kind: 'usage' })
})
