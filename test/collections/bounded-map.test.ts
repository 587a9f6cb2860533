import { expect, it } from 'vitest'
import { BoundedMap } from '../../src/collections/bounded-map.ts'

/** A map of at most three entries, with these keys set in their order. */
function mapWith(...keys: (string | undefined)[]) {
  const map = new BoundedMap<string | undefined, number>(3)
  for (const [value, key] of keys.entries()) map.set(key, value)
  return map
}

it('drops the oldest entry for one too many', () => {
  expect([...mapWith('a', 'b', 'c', 'd', 'e')]).toEqual([
    ['c', 2],
    ['d', 3],
    ['e', 4],
  ])
})

it('drops none for an entry that is set again, which counts as new then', () => {
  const map = mapWith('a', 'b', 'c', 'a')
  expect([...map.keys()]).toEqual(['b', 'c', 'a'])
  expect(map.get('a')).toBe(3)
  expect([...map.set('d', 4).keys()]).toEqual(['c', 'a', 'd'])
})

it('has room again for one that was deleted', () => {
  const map = mapWith('a', 'b', 'c')
  map.delete('b')
  expect([...map.set('d', 3).keys()]).toEqual(['a', 'c', 'd'])
})

it('drops the oldest entry whatever its key is', () => {
  expect([...mapWith(undefined, 'b', 'c', 'd').keys()]).toEqual(['b', 'c', 'd'])
})
