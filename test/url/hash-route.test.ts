import { expect, it } from 'vitest'
import { routeOf, withoutRoute } from '../../src/url/hash-route.ts'

it.each([
  ['/page#/route', '#/route'],
  ['#!/a b/ü?c=1', '#!/a%20b/%C3%BC?c=1'],
  ['/page#/route#part/of/it', '#/route'],
  ['#section', ''],
  ['#', ''],
  ['/page', ''],
  [`#/${'a'.repeat(3_000)}`, ''],
])('the route of %s is %s', (href, route) => {
  expect(routeOf(href)).toBe(route)
})

it('a URL is requested without its route', () => {
  expect(withoutRoute('https://one.test/a?b#/c')).toBe('https://one.test/a?b')
  expect(withoutRoute('https://one.test/a')).toBe('https://one.test/a')
})
