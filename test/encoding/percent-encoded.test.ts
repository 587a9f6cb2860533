import { expect, it } from 'vitest'
import { percentEncoded } from '../../src/encoding/percent-encoded.ts'

it.each([
  ['\t', '%09'],
  ["'", '%27'],
  ['\xe4', '%E4'],
])('the byte %j is encoded as %s', (byte, encoded) => {
  expect(percentEncoded(byte)).toBe(encoded)
})
