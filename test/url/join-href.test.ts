import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { BaseDirectory } from '../../src/url/join-href.ts'
import { randomCases } from '../support/soak.ts'
import { arbitraryHref } from './arbitrary-href.ts'

const BASE = 'http://h:8080/a/b/c.html?d=/e/f'

describe('BaseDirectory', () => {
  it.each([
    ['x.html', 'http://h:8080/a/b/x.html'],
    ['x/y/', 'http://h:8080/a/b/x/y/'],
    ['x.html#y?z', 'http://h:8080/a/b/x.html'],
    ['../x', 'http://h:8080/a/x'],
    ['../', 'http://h:8080/a/'],
    ['../../../x', 'http://h:8080/x'],
    ['/x/y?z=/../&b=?:', 'http://h:8080/x/y?z=/../&b=?:'],
    ['/x:y/%E4%B8%AD?%C3%A9', 'http://h:8080/x:y/%E4%B8%AD?%C3%A9'],
    ['/', 'http://h:8080/'],
    ['/?x', 'http://h:8080/?x'],
    ['http://h:8080/x', 'http://h:8080/x'],
    ['http://h:8080/', 'http://h:8080/'],
  ])('joins %j', (href, url) => {
    expect(new BaseDirectory(BASE).join(href)).toBe(url)
  })

  it.each([
    '',
    '?x',
    '#x',
    ' x',
    'x ',
    'x #y',
    './x',
    'x/../y',
    '..',
    '/.x',
    '//x',
    '/\\x',
    'x//y',
    'x\\y',
    'a:b',
    '/%e4',
    '/%E',
    '/%',
    '/%2F',
    'x%41',
    'x?%41',
    "x?'",
    'x\ty',
    'é',
    'x?é',
    '\0',
    'http://h:8080',
    'HTTP://h/x',
    'http://h:8080//x',
    'http://h:80801/x',
  ])('leaves %j to the URL parser', (href) => {
    expect(new BaseDirectory(BASE).join(href)).toBeUndefined()
  })

  it('never differs from the URL parser', () => {
    const plainer = fc
      .array(
        fc.constantFrom('a', '.', '/', '../', 'b.c', '?', '#', '%', '%E4', ':', ' ', 'http://h/'),
      )
      .map((pieces) => pieces.join(''))
    const bases = ['http://h/', 'https://h/a', 'http://h/a/b/', 'http://h/a//b?c/d', BASE]
    const cases = randomCases(20_000)
    let compared = 0
    fc.assert(
      fc.property(fc.oneof(arbitraryHref, plainer), fc.constantFrom(...bases), (href, base) => {
        const joined = new BaseDirectory(base).join(href)
        if (joined === undefined) return
        compared++
        expect(joined).toBe(canonicalize(new URL(href, base)))
      }),
      { numRuns: cases },
    )
    expect(compared).toBeGreaterThan(cases / 20)
  })
})
