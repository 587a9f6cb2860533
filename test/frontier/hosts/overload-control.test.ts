import { describe, expect, it } from 'vitest'
import { OverloadControl } from '../../../src/frontier/hosts/overload-control.ts'

/** A control that notes requests one after the other, each handed out and answered at the same time. */
function startControl(perHost = 6) {
  const control = new OverloadControl(perHost)
  let now = 0
  const refuse = (times: number, delay = control.pause) => {
    for (let left = times; left > 0; left--) control.refused(++now, now, delay)
  }
  const accept = (times: number) => {
    for (let left = times; left > 0; left--) control.accepted(false)
  }
  return { control, refuse, accept }
}

describe('the load of a host', () => {
  it('is not lowered by a single refusal, nor by rare ones', () => {
    const { control, refuse, accept } = startControl()
    for (let times = 0; times < 10; times++) {
      refuse(1)
      accept(16)
    }
    expect([control.limit, control.pause, control.isLowered]).toEqual([6, 0, false])
  })

  it('is halved by every second refusal, down to one request at a time', () => {
    const { control, refuse } = startControl()
    const limits = [2, 2, 2].map((times) => {
      refuse(times)
      return control.limit
    })
    expect(limits).toEqual([3, 1, 1])
  })

  it('is lowered further by pauses that double, up to 10 s', () => {
    const { control, refuse } = startControl(1)
    const pauses = Array.from({ length: 12 }, () => {
      refuse(2)
      return control.pause
    })
    expect(pauses.slice(0, 4)).toEqual([10, 20, 40, 80])
    expect(pauses.at(-1)).toBe(10_000)
  })

  it('is lowered from the pause that the host has anyway', () => {
    const { control, refuse } = startControl()
    refuse(2, 500)
    expect([control.limit, control.pause]).toEqual([1, 1_000])
  })

  it('is not lowered again by requests that were sent before', () => {
    const control = new OverloadControl(6)
    for (let left = 6; left > 0; left--) control.refused(1, 2, 0)
    expect(control.limit).toBe(3)
  })

  it('grows while the host accepts all, first the rate and then the requests at a time', () => {
    const { control, refuse, accept } = startControl(2)
    refuse(4)
    expect([control.limit, control.pause]).toEqual([1, 10])
    accept(8)
    expect([control.limit, control.pause]).toEqual([1, 0])
    accept(8)
    expect([control.limit, control.isLowered]).toEqual([2, false])
  })

  it('grows even if the host gets one request at a time anyway', () => {
    const { control, refuse, accept } = startControl(1)
    refuse(4)
    expect([control.pause, control.isLowered]).toEqual([20, true])
    accept(8)
    expect(control.pause).toBe(10)
    accept(8)
    expect([control.pause, control.isLowered]).toEqual([0, false])
  })

  it('grows more rarely the more often that was too much', () => {
    const { control, refuse, accept } = startControl(4)
    refuse(2)
    accept(8)
    expect(control.limit).toBe(3)
    refuse(2)
    accept(15)
    expect(control.limit).toBe(1)
    accept(1)
    expect(control.limit).toBe(2)
  })

  it('grows as soon after a long overload as after a short one', () => {
    const { control, refuse, accept } = startControl()
    refuse(26)
    expect(control.pause).toBe(10_000)
    accept(8)
    expect(control.pause).toBe(5_000)
  })

  it('is full again, and stays so, if URLs are refused again later, since they are broken', () => {
    const { control, refuse } = startControl()
    refuse(8)
    for (let times = 0; times < 7; times++) control.refusedAgain()
    expect(control.isLowered).toBe(true)
    control.refusedAgain()
    expect([control.limit, control.pause]).toEqual([6, 0])
    refuse(8)
    expect(control.isLowered).toBe(false)
  })

  it('stays low if most of the refused URLs are accepted later', () => {
    const { control, refuse } = startControl()
    refuse(8)
    for (let times = 0; times < 40; times++) {
      control.refusedAgain()
      control.accepted(true)
    }
    expect(control.isLowered).toBe(true)
  })
})
