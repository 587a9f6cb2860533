import { expect, it, vi } from 'vitest'
import { Deadline } from '../../../src/worker/http/deadline.ts'

it('is met after its time, but for the time that it stands still', () => {
  vi.useFakeTimers()
  const expire = vi.fn()
  const deadline = new Deadline(100, expire)
  vi.advanceTimersByTime(60)
  deadline.pause()
  vi.advanceTimersByTime(1_000)
  expect(expire).not.toHaveBeenCalled()
  deadline.resume()
  vi.advanceTimersByTime(39)
  expect(expire).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2)
  expect(expire).toHaveBeenCalledTimes(1)
  vi.useRealTimers()
})
