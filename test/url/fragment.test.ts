import { expect, it } from 'vitest'
import { fragmentOf, routeOf, withoutFragment } from '../../src/url/fragment.ts'

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

it.each([
  ['/page#a b', '#a%20b'],
  ['#/route#part', '#/route#part'],
  ['/page#', ''],
  ['/page', ''],
])('the fragment of %s is %s', (href, fragment) => {
  expect(fragmentOf(href)).toBe(fragment)
})

it('a URL is requested without its fragment', () => {
  expect(withoutFragment('https://one.test/a?b#/c')).toBe('https://one.test/a?b')
  expect(withoutFragment('https://one.test/a')).toBe('https://one.test/a')
})
