import { afterEach, expect, it, vi } from 'vitest'
import { processContext } from '../../src/cli/cli-context.ts'

afterEach(() => void vi.unstubAllEnvs())

it.each([
  ['xterm-256color', true],
  ['linux', true],
  [undefined, true],
  ['dumb', false],
  ['unknown', false],
  ['', false],
])('the cursor of a terminal of type %j can be moved: %s', (term, canMoveCursor) => {
  vi.stubEnv('TERM', term)
  expect(processContext()).toMatchObject({ canMoveCursor })
})

it('a signal that arrives between two calls of onInterrupt reaches the second callback', async () => {
  const context = processContext()
  const [first, second] = [vi.fn(), vi.fn()]
  const release = context.onInterrupt(first)
  // Node delivers the signal in a later turn of the event loop.
  process.kill(process.pid, 'SIGTERM')
  release()
  const releaseSecond = context.onInterrupt(second)
  await vi.waitFor(() => expect(second).toHaveBeenCalledOnce())
  releaseSecond()
  expect(first).not.toHaveBeenCalled()
})
