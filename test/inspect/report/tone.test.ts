import { expect, it } from 'vitest'
import { toneOf } from '../../../src/inspect/report/tone.ts'

it.each([
  [200, 'fine'],
  ['304', 'fine'],
  [301, 'moved'],
  [404, 'broken'],
  ['timeout', 'broken'],
  ['render-failed', 'fine'],
  ['extraction-failed', 'fine'],
  ['hook-failed', 'fine'],
] as const)('takes the outcome %s for %s', (outcome, tone) => expect(toneOf(outcome)).toBe(tone))
