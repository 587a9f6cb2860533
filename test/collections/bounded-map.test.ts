import { expect, it } from 'vitest'
import { BoundedMap } from '../../src/collections/bounded-map.ts'

/** Returns a map of at most three entries, in which these keys were set in order. */
function mapWith(...keys: (string | undefined)[]) {
  const map = new BoundedMap<string | undefined, number>(3)
  for (const [value, key] of keys.entries()) map.set(key, value)
  return map
}

it('drops the oldest entries beyond its limit', () => {
  expect([...mapWith('a', 'b', 'c', 'd', 'e')]).toEqual([
    ['c', 2],
    ['d', 3],
    ['e', 4],
  ])
})

it('moves an entry that is set again to the end, and drops none', () => {
  const map = mapWith('a', 'b', 'c', 'a')
  expect([...map.keys()]).toEqual(['b', 'c', 'a'])
  expect(map.get('a')).toBe(3)
  expect([...map.set('d', 4).keys()]).toEqual(['c', 'a', 'd'])
})

it('has space for another entry after one was deleted', () => {
  const map = mapWith('a', 'b', 'c')
  map.delete('b')
  expect([...map.set('d', 3).keys()]).toEqual(['a', 'c', 'd'])
})

it('drops the oldest entry even if its key is undefined', () => {
  expect([...mapWith(undefined, 'b', 'c', 'd').keys()]).toEqual(['b', 'c', 'd'])
})
