import { expect, it } from 'vitest'
import { parseBoundedJson } from '../src/bounded-json.ts'

const list = (levels: number) => `${'['.repeat(levels)}7${']'.repeat(levels)}`
const object = (levels: number) => `${'{"0":'.repeat(levels)}7${'}'.repeat(levels)}`

it('JSON is parsed if its lists and objects nest at most 1,000 levels deep', () => {
  expect(parseBoundedJson('{"a":[1,null]}')).toEqual({ a: [1, null] })
  for (const text of [list(1_000), object(1_000)]) {
    expect(JSON.stringify(parseBoundedJson(text))).toBe(text)
  }
})

it.each([list(1_001), object(1_001), `["",${list(1_000)}]`, list(200_000), object(200_000)])(
  'JSON that nests deeper is refused, case %#',
  (text) => {
    expect(() => parseBoundedJson(text)).toThrow('at most 1,000 nested lists and objects, got more')
  },
)
