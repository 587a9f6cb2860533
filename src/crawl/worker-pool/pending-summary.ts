import type { PendingRequest } from './worker-requests.ts'

/** Requests of one kind that have no reply yet. */
export interface PendingSummary {
  readonly count: number
  /** Some of them, the oldest first, with their age in milliseconds. */
  readonly oldest: readonly { readonly url: string; readonly ms: number }[]
}

/** Summarizes requests, with at most `max` of them. */
export function summarizePending(
  pending: readonly PendingRequest<{ readonly url: string }>[],
  max: number,
  now: number,
): PendingSummary {
  const oldest = pending
    .toSorted((a, b) => a.since - b.since)
    .slice(0, max)
    .map(({ request: { url }, since }) => ({ url, ms: now - since }))
  return { count: pending.length, oldest }
}
