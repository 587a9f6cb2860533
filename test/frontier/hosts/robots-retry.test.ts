import { expect, it } from 'vitest'
import {
  nextRetry,
  type RobotsRetry,
  retryRecord,
  storedRetry,
} from '../../../src/frontier/hosts/robots-retry.ts'

const PATIENCE_MS = 120_000
const FAILURE = { access: 'disallow-all', reason: 'refused', isTransient: true } as const

/** Returns the next wait as it is after its host has left memory and come back. */
function stored(retry: RobotsRetry): RobotsRetry {
  const { answer, until } = retryRecord(retry)
  if (!('failures' in answer)) expect.fail('not a failure')
  return storedRetry(answer, until)
}

it('an origin that had answered is given up in time, even if its host leaves memory meanwhile', () => {
  let now = 0
  let attempts = 1
  let retry = nextRetry(undefined, FAILURE, now, PATIENCE_MS)
  for (; retry !== undefined && attempts < 100; attempts++) {
    now = retry.retryAt
    retry = nextRetry(stored(retry), FAILURE, now, PATIENCE_MS)
  }
  expect([attempts, now]).toEqual([11, PATIENCE_MS])
})
