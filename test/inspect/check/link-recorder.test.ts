import { expect, it } from 'vitest'
import { LinkRecorder } from '../../../src/inspect/check/link-recorder.ts'
import type { ErrorCode } from '../../../src/records/error-code.ts'
import { recordOf } from '../../support/record-of.ts'

it('a link is not broken if only a hook failed on its page', () => {
  const recorder = new LinkRecorder({ maxRedirects: 20, canonicalize: [], stripQuery: false })
  const failed = (code: ErrorCode) => ({ status: 200, error: { code, message: 'x' } })
  const visits = [
    { url: 'http://a/1', ...failed('hook-failed') },
    { url: 'http://a/2', ...failed('extraction-failed') },
    { url: 'http://a/3', ...failed('timeout') },
  ]
  const to = visits.map(({ url }) => url)
  recorder.write([
    {
      record: recordOf({ url: 'http://a/', status: 200 }),
      pageLinks: { from: 'http://a/', to, invalid: [] },
    },
    ...visits.map((visit) => ({ record: recordOf(visit) })),
  ])
  expect([...recorder.judge().findings()]).toMatchObject([{ problem: 'broken', to: 'http://a/3' }])
  recorder.dispose()
})
