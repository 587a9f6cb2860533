import { expect, it } from 'vitest'
import { RenderOrder } from '../../src/render/render-order.ts'

it('pages with most signs are rendered first, and others in order of arrival', () => {
  const order = new RenderOrder<string, string>()
  for (const [page, signs] of [
    ['a', 0],
    ['b', 2],
    ['c', 9],
    ['d', 0],
    ['e', 2],
    ['f', 2],
  ] as const)
    order.add(page, page.toUpperCase(), signs)
  order.delete('e')
  expect([...order].map(([key]) => key).join('')).toBe('cbfad')
  expect([...order][0]).toEqual(['c', 'C'])
})
