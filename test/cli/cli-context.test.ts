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
