import { expect, it } from 'vitest'
import { findRefreshUrl, refreshUrl } from '../../src/url/refresh.ts'

it.each([
  ['5; url=/a', '/a'],
  ['5;URL = /a', '/a'],
  [' 0 , url=/a', '/a'],
  ['0 /a', '/a'],
  ['.5;/a', '/a'],
  ['1.2.3;/a', '/a'],
  [`0;url='/a' x`, '/a'],
  ['0;url="/a', '/a'],
  [`0;'/a'`, '/a'],
  ['0;url/a', 'url/a'],
  ['0;u=/a', 'u=/a'],
  ['0;;url=/a', ';url=/a'],
  ['0;url=a b', 'a b'],
])('the refresh %s leads to %s', (content, url) => {
  expect(refreshUrl(content)).toBe(url)
})

it.each(['0', ' 12 ', '0;', '0;url=', "0;url=''"])(
  'the refresh "%s" leads to the page itself',
  (content) => {
    expect(refreshUrl(content)).toBe('')
  },
)

it.each(['', 'url=/a', '-1;url=/a', '5x;url=/a', ';/a'])('"%s" is not a refresh', (content) => {
  expect(refreshUrl(content)).toBeUndefined()
})

it.each([
  ['5; url=a', 7],
  [' .5 , "a" b', 7],
  ["0;url='a", 7],
  ['0', 1],
])('the position of the URL in the refresh %s is found', (content, start) => {
  expect(findRefreshUrl(content)).toMatchObject({ start })
})
