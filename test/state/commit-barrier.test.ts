import { describe, expect, it, vi } from 'vitest'
import { CommitBarrier } from '../../src/state/commit-barrier.ts'

describe('CommitBarrier', () => {
  it('passes events as they come, and held ones in order after it is opened again', async () => {
    const order: string[] = []
    const gate = new CommitBarrier(() => {})
    gate.pass(() => order.push('first'))
    const work = Promise.withResolvers<void>()
    const held = gate.during(() => work.promise)
    gate.pass(() => order.push('third'))
    gate.pass(() => order.push('fourth'))
    order.push('second')
    work.resolve()
    await held
    expect(order).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('lets timers, signals and outputs run after a long event', async () => {
    const order: string[] = []
    const gate = new CommitBarrier(() => {})
    setImmediate(() => order.push('other work'))
    gate.pass(() => {
      for (const start = performance.now(); performance.now() - start < 100; );
      order.push('long')
    })
    gate.pass(() => order.push('next'))
    await vi.waitFor(() => expect(order).toEqual(['long', 'other work', 'next']))
  })

  it('stays closed until all work has ended', async () => {
    const gate = new CommitBarrier(() => {})
    let passed = 0
    const longer = Promise.withResolvers<void>()
    const held = gate.during(() => longer.promise)
    await gate.during(async () => {})
    gate.pass(() => passed++)
    expect(passed).toBe(0)
    longer.resolve()
    await held
    expect(passed).toBe(1)
  })

  it('reports whether anything has passed since the last call', () => {
    const gate = new CommitBarrier(() => {})
    expect(gate.takePassed()).toBe(false)
    gate.pass(() => {})
    expect([gate.takePassed(), gate.takePassed()]).toEqual([true, false])
  })

  it('stays closed if the work fails, and drops the held events', async () => {
    const gate = new CommitBarrier(() => {})
    const full = new Error('full')
    let passed = 0
    const held = gate.during(() => Promise.reject(full))
    gate.pass(() => passed++)
    await expect(held).rejects.toBe(full)
    gate.pass(() => passed++)
    expect(passed).toBe(0)
  })

  it('closes if an event fails, also for those held after it', async () => {
    const failures: unknown[] = []
    const gate = new CommitBarrier((error) => failures.push(error))
    let passed = 0
    await gate.during(async () => {
      gate.pass(() => {
        throw new Error('full')
      })
      gate.pass(() => passed++)
    })
    gate.pass(() => passed++)
    expect(failures).toMatchObject([{ message: 'full' }])
    expect(passed).toBe(0)
  })
})
