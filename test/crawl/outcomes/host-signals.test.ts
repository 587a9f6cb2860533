import { describe, expect, it } from 'vitest'
import {
  attemptSign,
  healthOnly,
  hostReport,
  pauseOnly,
  probeSign,
} from '../../../src/crawl/outcomes/host-signals.ts'
import type { Failed, Visited } from '../../../src/messages/outcome.ts'
import type { ErrorCode } from '../../../src/records/error-code.ts'

function visited(status: number, more: Partial<Visited> = {}): Visited {
  return {
    ...{ type: 'visited', id: 1, fields: { status }, status, bytes: 0, ms: 5 },
    ...{ discovered: [], nearer: [], sameDepth: [], skipped: [] },
    ...more,
  }
}

function failed(error: ErrorCode): Failed {
  return { type: 'failed', id: 1, fields: { attempts: 1 }, error, message: '', ms: 5 }
}

describe('an outcome as evidence about its host', () => {
  it.each([
    [200, 'there', 'error'],
    [404, 'there', 'error'],
    [429, 'away', 'overload'],
    [500, 'away', 'error'],
    [501, 'there', 'error'],
    [503, 'away', 'overload'],
  ] as const)('with status %i means that the host is %s', (status, presence, kind) => {
    const sign = attemptSign(visited(status))
    expect(sign).toMatchObject({ presence, kind, isFinal: true, why: `answered ${status}` })
  })

  it.each([
    ['connection-refused', 'away', 'silence', 'connection refused'],
    ['proxy-failure', 'away', 'silence', 'proxy failure'],
    ['worker-died', 'unsure', 'error', 'unknown'],
  ] as const)('with error %s means that the host is %s', (error, presence, kind, why) => {
    expect(attemptSign(failed(error))).toMatchObject({ presence, kind, why })
  })

  it('counts even for an absent host once its links are in the seen set', () => {
    expect(attemptSign(visited(503)).countsAnyway).toBe(false)
    expect(attemptSign(visited(503, { discovered: ['http://a.test/'] })).countsAnyway).toBe(true)
    expect(attemptSign(visited(503, { error: 'retry-after-too-long' })).countsAnyway).toBe(true)
  })

  it('is not final if another attempt follows', () => {
    const sign = attemptSign({ type: 'postponed', id: 1, ms: 5, status: 503, retryAfter: 9 })
    expect(sign).toMatchObject({ presence: 'away', isFinal: false })
  })
})

it("a probe is conclusive only if a running server can't fail that way", () => {
  expect(probeSign({ error: 'connection-refused' }).isConclusive).toBe(true)
  expect(probeSign({ error: 'timeout' }).isConclusive).toBe(false)
  expect(probeSign({ status: 503 })).toMatchObject({ presence: 'away', isConclusive: false })
})

describe('the host report of an outcome', () => {
  it.each([
    [visited(200), 'well'],
    [visited(404), 'well'],
    [visited(500), 'failed'],
    [failed('timeout'), 'failed'],
    // The proxy failed, not the host.
    [failed('proxy-failure'), 'unsure'],
    [failed('worker-died'), 'unsure'],
  ] as const)('of %# has the expected health', (outcome, health) => {
    expect(hostReport(outcome).health).toBe(health)
  })

  it('splits into the pause, which applies at once, and the health, which may apply later', () => {
    const report = hostReport(visited(503, { retryAfter: 9, error: 'retry-after-too-long' }))
    expect(pauseOnly(report)).toEqual({ health: 'unsure', ms: 5, retryAfter: 9 })
    expect(healthOnly(report)).toEqual({ health: 'failed', isExcessive: true })
  })
})
