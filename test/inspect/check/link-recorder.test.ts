import { expect, it } from 'vitest'
import { LinkRecorder } from '../../../src/inspect/check/link-recorder.ts'
import type { ErrorCode } from '../../../src/records/error-code.ts'
import { heapBytes } from '../../support/heap-bytes.ts'
import { recordOf } from '../../support/record-of.ts'

it('a link is not broken if only a hook failed on its page', () => {
  const book = new LinkRecorder({ maxRedirects: 20, canonicalize: [], stripQuery: false })
  const failed = (code: ErrorCode) => ({ status: 200, error: { code, message: 'x' } })
  const visits = [
    { url: 'http://a/1', ...failed('hook-failed') },
    { url: 'http://a/2', ...failed('extraction-failed') },
    { url: 'http://a/3', ...failed('timeout') },
  ]
  const to = visits.map(({ url }) => url)
  book.write([
    {
      record: recordOf({ url: 'http://a/', status: 200 }),
      pageLinks: { from: 'http://a/', to, invalid: [] },
    },
    ...visits.map((visit) => ({ record: recordOf(visit) })),
  ])
  expect([...book.findings()]).toMatchObject([{ problem: 'broken', to: 'http://a/3' }])
  book.dispose()
})

it('keeps only a part of the names of many large pages in memory while it compares fragments', () => {
  const book = new LinkRecorder({ maxRedirects: 20, canonicalize: [], stripQuery: false })
  const pages = Array.from({ length: 24 }, (_, page) => `http://a/${page}`)
  for (const from of pages) {
    const anchors = Array.from({ length: 20_000 }, (_, name) => `${from}/${name}`)
    const to = from === pages[0] ? pages.map((page) => `${page}#missing`) : []
    const record = recordOf({ url: from, status: 200 })
    book.write([{ record, pageLinks: { from, to, invalid: [], anchors } }])
  }
  const before = heapBytes()
  let [found, after] = [0, 0]
  for (const { problem } of book.findings()) {
    if (problem === 'fragment' && ++found === pages.length) after = heapBytes()
  }
  expect(found).toBe(pages.length)
  expect(after - before).toBeLessThan(25e6)
  book.dispose()
})
