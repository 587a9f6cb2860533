import { describe, expect, it } from 'vitest'
import { RequestLimits } from '../../src/throttle/request-limits.ts'
import { RequestNotSent } from '../../src/throttle/request-not-sent.ts'

/** Returns the limits of each of these threads, which share their memory. */
function limitsOf(settings: { rate?: number; bandwidth?: number }, threads = 1): RequestLimits[] {
  const memory = RequestLimits.allocate(settings, threads, false)
  return Array.from({ length: threads }, (_, index) => {
    const limits = RequestLimits.open(memory, settings, index + 1)
    if (limits === undefined) throw new Error('expected a limit')
    return limits
  })
}

describe('request limits', () => {
  it("don't exist without a setting", () => {
    expect(RequestLimits.open(RequestLimits.allocate({}, 2, false), {}, 1)).toBeUndefined()
  })

  it('send requests in order, no faster than the rate of all threads together', async () => {
    const threads = limitsOf({ rate: 50 }, 2)
    const times: number[] = []
    const order: string[] = []
    const requests = threads.flatMap((limits, thread) =>
      Array.from({ length: 10 }, (_, number) =>
        limits.send(async () => {
          times.push(performance.now())
          order.push(`${thread}-${number}`)
        }),
      ),
    )
    await Promise.all(requests)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(270)
    const ofFirst = order.filter((name) => name.startsWith('0-'))
    expect(ofFirst).toEqual(Array.from({ length: 10 }, (_, number) => `0-${number}`))
  })

  it('refuse waiting and new requests after they were closed', async () => {
    const [limits] = limitsOf({ rate: 1 / 60, bandwidth: 1_000 })
    await limits?.send(async () => limits.bytes?.spend(100_000))
    const waiting = limits?.send(async () => 'sent')
    limits?.close()
    await expect(waiting).rejects.toThrow(RequestNotSent)
    await expect(limits?.send(async () => 'sent')).rejects.toThrow(RequestNotSent)
  })

  it('send no request while received bytes exceed the bandwidth', async () => {
    const [limits] = limitsOf({ bandwidth: 1_000_000 })
    const since = performance.now()
    await limits?.send(async () => limits.bytes?.spend(300_000))
    expect(limits?.bytes?.isOverdrawn).toBe(true)
    await limits?.send(async () => {})
    expect(performance.now() - since).toBeGreaterThan(240)
  })

  it('reserve bandwidth for a typical response in advance', async () => {
    const [limits] = limitsOf({ bandwidth: 1_000_000 })
    const request = () =>
      limits?.send(async () => {
        limits.bytes?.spend(20_000)
        return performance.now()
      })
    for (let count = 0; count < 20; count++) await request()
    const times = await Promise.all(Array.from({ length: 10 }, request))
    // All at once they would bring 200 kB immediately.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(90)
  })
})
