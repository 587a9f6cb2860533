import { expect, it } from 'vitest'
import { archivedIn } from '../../src/fetch-worker/outbox.ts'
import type { Outcome } from '../../src/messages/messages.ts'

function outcomeWith(response: Uint8Array): Outcome {
  const about = { id: '', url: '', date: '', status: 200, mime: '', payloadDigest: '' }
  const records = { head: Buffer.alloc(0), request: Buffer.alloc(0), response }
  const exchange = { ...about, ...records, isWhole: true }
  const visit = { type: 'visited', id: 1, fields: {}, status: 200, bytes: 0, ms: 0 } as const
  return { ...visit, discovered: [], nearer: [], sameDepth: [], skipped: [], exchange }
}

it('messages transfer the memory of archived responses that own it, and of no others', () => {
  const large = Buffer.alloc(1_000_000)
  const shared = Buffer.alloc(100).subarray(10)
  const postponed: Outcome = { type: 'postponed', id: 2, ms: 0 }
  const outcomes = [outcomeWith(large), outcomeWith(shared), postponed]
  expect(archivedIn(outcomes)).toEqual([large.buffer])
})
