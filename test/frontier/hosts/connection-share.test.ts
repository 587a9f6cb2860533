import { describe, expect, it } from 'vitest'
import { ConnectionShare } from '../../../src/frontier/hosts/connection-share.ts'

/** Returns the share of 8 connections, of which some are in use by hosts that are not quick. */
function shareWith(unproven: number, quickResponseAt?: number): ConnectionShare {
  const share = new ConnectionShare(8)
  share.addUnproven(unproven)
  if (quickResponseAt !== undefined) share.quickHostResponded(quickResponseAt)
  return share
}

describe('a host that is not quick may have another request', () => {
  it('at any time below three quarters of the connections', () => {
    expect(shareWith(5, 1_000).admitsUnprovenAt).toBe(Number.NEGATIVE_INFINITY)
  })

  it('from there on 10 s after the last response of a quick host', () => {
    expect(shareWith(6, 1_000).admitsUnprovenAt).toBe(11_000)
    expect(shareWith(7).admitsUnprovenAt).toBe(Number.NEGATIVE_INFINITY)
  })

  it('only after others ended while all connections are in use, so that no timer waits for it', () => {
    const share = shareWith(8, 1_000)
    expect(share.admitsUnprovenAt).toBe(Number.POSITIVE_INFINITY)
    share.addUnproven(-1)
    expect(share.admitsUnprovenAt).toBe(11_000)
  })
})

describe('each host may have', () => {
  it('an equal part of three quarters of the connections, and at least one', () => {
    const share = new ConnectionShare(8)
    expect(share.ofEach).toBe(6)
    for (let hosts = 0; hosts < 3; hosts++) share.hostBegan()
    expect(share.ofEach).toBe(2)
    for (let hosts = 0; hosts < 9; hosts++) share.hostBegan()
    expect(share.ofEach).toBe(1)
    for (let hosts = 0; hosts < 11; hosts++) share.hostEnded()
    expect(share.ofEach).toBe(6)
  })
})
