import { describe, expect, it } from 'vitest'
import type { Outcome, Visited } from '../../src/messages/outcome.ts'
import { packOutcomes, unpackOutcomes } from '../../src/messages/outcome-text.ts'
import { packLinks } from '../../src/messages/pack-links.ts'
import type { CrawlUrl } from '../../src/records/crawl-url.ts'
import { VisitRecord } from '../../src/records/visit-record.ts'

const page = (id: number): CrawlUrl => ({
  ...{ id, url: `http://a.test/${id}`, depth: 2, sameDepthHops: 0, redirects: 0, hop: 'link' },
  ...{ via: 'http://a.test/', attempt: 1, failures: 0, keepLinks: false },
})

const visited = (id: number, more: Partial<Visited> = {}): Visited => ({
  ...{ type: 'visited', id, status: 200, bytes: 9, ms: 1.5, sameDepth: [], skipped: [] },
  ...{ discovered: ['http://a.test/x', 'http://b.test/?y'], nearer: ['http://a.test/z'] },
  fields: { status: 200, title: 'a\nb "c" 💥 \u2028', ms: 1.5 },
  ...more,
})

function passed(outcomes: readonly Outcome[], areFinal = true) {
  const message = packOutcomes(
    outcomes.map((outcome) => ({ crawlUrl: page(outcome.id), outcome })),
    areFinal,
  )
  return { message, outcomes: unpackOutcomes(message) }
}

describe('outcomes in a message', () => {
  const ordinary: Visited[] = [
    visited(1),
    visited(2 ** 40, { linkCount: 7, trapSignals: { linkCount: 3, hasNewContent: true } }),
    visited(3, { discovered: [], nearer: [], trapSignals: { linkCount: 0, hasNewContent: false } }),
    visited(4, { counts: { 'skip:out-of-scope': 2 }, linkCount: 0, packedLinks: 'any\n\xff ' }),
    visited(5, { packedLinks: '' }),
    visited(6, { packedLinks: packLinks(['http://a.test/x', 'http://a.test/y']) }),
  ]

  it('are passed as text with the lines of their records, if they are ordinary', () => {
    const { message, outcomes } = passed(ordinary)
    expect(message.others).toEqual([])
    const expected = ordinary.map((outcome) => {
      return { ...outcome, fields: VisitRecord.of(page(outcome.id), outcome.fields).line }
    })
    expect(outcomes).toEqual(expected)
  })

  it('have records with fields that outputs can read', () => {
    const [first] = passed([visited(1)]).outcomes
    const fields = first?.type === 'visited' ? first.fields : {}
    const record = VisitRecord.of(page(1), fields)
    expect(record.fields).toMatchObject({ url: 'http://a.test/1', via: 'http://a.test/' })
    expect(record.fields.title).toBe('a\nb "c" 💥 \u2028')
  })

  it('are passed as objects if they have further data', () => {
    const special: Outcome[] = [
      visited(1, { sameDepth: [{ hop: 'redirect', urls: ['http://a.test/to'] }] }),
      visited(2, { outlinks: 'packed' }),
      visited(3, { error: 'timeout' }),
      visited(4, { fields: { dataJson: '{"deep":[[[]]]}' } }),
      visited(5, { trapSignals: { linkCount: 1, hasNewContent: true, alias: { keepsIds: true } } }),
      visited(6, { skipped: [{ url: 'x:', depth: 3, reason: 'scheme' }] }),
      { type: 'postponed', id: 7, ms: 3, status: 503 },
      { type: 'failed', id: 8, fields: {}, error: 'timeout', message: 'no answer' },
    ]
    const { message, outcomes } = passed(special)
    expect(message.text).toBe('')
    expect(outcomes).toEqual(special)
  })

  it('are passed as objects if the main thread may change their records', () => {
    const { message, outcomes } = passed(ordinary, false)
    expect(message.text).toBe('')
    expect(outcomes).toEqual(ordinary)
  })
})
