import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { srcsetUrls } from '../../src/url/srcset.ts'
import { growth, SLACK } from '../support/growth.ts'
import { randomCases } from '../support/soak.ts'
import { srcsetOracle } from './srcset-oracle.ts'

describe('srcsetUrls', () => {
  it.each([
    ['/a.png', '/a.png'],
    ['/a.png 1x, /b.png 2x', '/a.png', '/b.png'],
    ['/a 320w, /b 640w 480h, /c 5h 9w', '/a', '/b', '/c'],
    ['\n\t/a\f1x\r,\n/b .5x , /c 1e1x ', '/a', '/b', '/c'],
    ['/a, /b', '/a', '/b'],
    ['/a,,, , /b,', '/a', '/b'],
    [',, /a', '/a'],
    ['data:image/png;base64,AA== 1x, /b,c.png 2x', 'data:image/png;base64,AA==', '/b,c.png'],
    ['/a,/b 2x', '/a,/b'],
    ['/a 1x,/b 2x', '/a', '/b'],
    ['/a 0x, /b -0x', '/a', '/b'],
    ['/a\u00a0 1x', '/a\u00a0'],
  ])('finds the candidates of "%s"', (srcset, ...urls) => {
    expect(srcsetUrls(srcset, 100)).toEqual(urls)
  })

  it.each([
    ...['', ' ', ',', ' , ,', '/no 1y', '/no x', '/no 1', '/no 1X', '/no +1x', '/no 1.x'],
    ...['/no -1x', '/no 1x 1x', '/no 1x 1w', '/no 1w 1w', '/no 0w', '/no 1.0w', '/no 1h'],
    ...['/no 1w 0h', '/no 1w 1h 1h', '/no 1h 1x', '/no -x', '/no 1\u00a0w'],
    ...['/no (1x)', '/no 1x (', '/no (, /no 2x', '/no ((, /no 2x) 1x', '/no 1x () 2x'],
  ])('finds no candidates in "%s"', (srcset) => {
    expect(srcsetUrls(srcset, 100)).toEqual([])
  })

  it('continues after an invalid candidate, and after parentheses', () => {
    expect(srcsetUrls('/no 1y, /a 1x', 100)).toEqual(['/a'])
    expect(srcsetUrls('/no (, /no 1x, ), /a', 100)).toEqual(['/a'])
    expect(srcsetUrls('/no [, /a 1x', 100)).toEqual(['/a'])
  })

  it('finds at most the requested number of candidates', () => {
    expect(srcsetUrls('/1, /2, /3', 2)).toEqual(['/1', '/2'])
    expect(srcsetUrls('/1', 0)).toEqual([])
  })

  it.each([',', 'a', 'a,', 'a, ', '(', 'a (', 'a )', 'a 1x ', 'a ((,', '1', ' ', 'a 1w, '])(
    'takes time linear in the size of "%s"',
    async (pattern) => {
      for (const head of ['', 'a ', 'a (', 'a 1']) {
        const read = (size: number) =>
          srcsetUrls(head + pattern.repeat(size / pattern.length), 1_000_000)
        expect(await growth(read, 4_096), head).toBeLessThan(SLACK)
      }
    },
  )

  it('finds the same as the algorithm of the standard', () => {
    const pieces = fc.constantFrom(
      ...[' ', ' ', ', ', ',', '\n', '(', ')', '/a', 'data:,b', '1x', '2w', '3h', '0w', '-'],
      ...['1', '.', 'e', 'E', '+', 'x', 'w', 'h', '\f', '\0', '\u00a0', '.5x', '1e2x'],
    )
    const srcset = fc.array(pieces, { maxLength: 20, size: 'max' }).map((all) => all.join(''))
    fc.assert(
      fc.property(srcset, (text) => {
        expect(srcsetUrls(text, 100)).toEqual(srcsetOracle(text))
      }),
      { numRuns: randomCases(10_000) },
    )
  })
})
