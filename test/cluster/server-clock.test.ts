import { describe, expect, it } from 'vitest'
import { ServerClock } from '../../src/cluster/server-clock.ts'

describe('the clock of a server', () => {
  it('is converted by the reply with the shortest round trip', () => {
    const clock = new ServerClock()
    expect(clock.serverTime(50)).toBeUndefined()
    clock.compare(5_000, 0, 100)
    expect(clock.localTime(5_000)).toBe(50)
    clock.compare(6_000, 1_009, 1_011)
    expect(clock.localTime(6_000)).toBe(1_010)
    clock.compare(7_000, 1_950, 2_050)
    expect(clock.localTime(7_000)).toBe(2_010)
    expect(clock.serverTime(2_010)).toBe(7_000)
  })

  it('is converted by newer replies as clocks drift apart', () => {
    const clock = new ServerClock()
    clock.compare(0, 0, 2)
    clock.compare(1_000_000, 1_000_000, 1_000_004)
    expect(clock.localTime(1_000_000)).toBe(1_000_002)
    // A worse reply soon afterwards changes nothing.
    clock.compare(1_000_100, 1_000_100, 1_000_106)
    expect(clock.localTime(1_000_100)).toBe(1_000_102)
  })

  it('is converted anew after a reply that contradicts earlier ones', () => {
    const clock = new ServerClock()
    clock.compare(0, 0, 2)
    clock.compare(50, 500, 700)
    expect(clock.localTime(50)).toBe(600)
  })
})
