import { describe, expect, it } from 'vitest'
import { isSelector } from '../../src/page-data/html-tree.ts'

describe('a CSS selector', () => {
  it.each([
    ...['.a', 'a.b.c', '#x-1', '.é', '.\\.a', '.a\\/b', 'p:eq(0)', 'a:has(> b)', '> a'],
    ...['[a="..b"]', "[a='/']", '[href=x.y]', '[href^="/a/"]', 'p:contains(1. / x)', '*'],
  ])('may be %s', (text) => {
    expect(isSelector(text)).toBe(true)
  })

  it.each(['..a', 'a..b', 'a:not(..b)', '.#a', 'a/b', 'a @x', '[=x]', '[.a]', 'a[', '', 'a,'])(
    'may not be %s',
    (text) => {
      expect(isSelector(text)).toBe(false)
    },
  )
})
