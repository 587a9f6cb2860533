import { expect, it } from 'vitest'
import { encodeLine } from '../../src/records/json-line.ts'

it('a line of JSON contains no control characters, for any value', () => {
  const value = { text: 'a\u001b[2J\u007f\u009b2J\u0085\nb é 中' }
  const line = encodeLine(value)
  expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u)
  expect(line.at(-1)).toBe('\n')
  expect(JSON.parse(line)).toEqual(value)
})
