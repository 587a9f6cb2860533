import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageDirectives } from '../../src/robots/page-directives.ts'
import { growth, SLACK } from '../support/growth.ts'

const said = (metas: readonly (readonly [string, string])[], header?: string | string[]) => {
  const pairs = metas.map(([name, content]) => ({ name, content }))
  const { noindex, nofollow } = pageDirectives(pairs, header, 'OrbWeaver')
  return [noindex ? 'noindex' : '', nofollow ? 'nofollow' : ''].filter(Boolean).join(' ')
}

describe('pageDirectives of meta elements', () => {
  it.each([
    ['', ''],
    ['noindex', 'noindex'],
    ['nofollow', 'nofollow'],
    ['noindex,nofollow', 'noindex nofollow'],
    [' NoIndex ,\n NOFOLLOW ', 'noindex nofollow'],
    ['noindex nofollow', 'noindex nofollow'],
    ['noindex; nofollow;', 'noindex nofollow'],
    ['none', 'noindex nofollow'],
    ['all', ''],
    ['index, follow', ''],
    ['noindex, follow', 'noindex'],
    ['index, noindex', 'noindex'],
    ['noarchive, nosnippet, noimageindex, notranslate', ''],
    ['nofollowing, xnoindex', ''],
    ['max-snippet:-1, max-image-preview:none, max-video-preview: -1', ''],
    ['max-image-preview: none, nofollow', 'nofollow'],
    ['noindex max-image-preview:none', 'noindex'],
    ['max-snippet:20 nofollow', 'nofollow'],
    ['max-image-preview: none max-snippet:-1 noindex', 'noindex'],
    ['unavailable_after: 25-Aug-2010 15:00:00 EST, noindex', 'noindex'],
    [',,;:,:', ''],
  ])('reads "%s" as "%s"', (content, expected) => {
    expect(said([['robots', content]])).toBe(expected)
  })

  it('reads elements named after the crawler, in any case', () => {
    expect(said([['ORBWEAVER', 'nofollow']])).toBe('nofollow')
  })

  it('ignores elements named after other crawlers', () => {
    expect(said([['googlebot', 'none']])).toBe('')
    expect(said([['', 'none']])).toBe('')
    expect(said([['orbweaver-news', 'none']])).toBe('')
    expect(said([['description', 'none']])).toBe('')
  })

  it('combines several elements: none of them cancels a directive of another', () => {
    const metas = [
      ['robots', 'noindex'],
      ['orbweaver', 'index, nofollow'],
      ['robots', 'all'],
    ] as const
    expect(said(metas)).toBe('noindex nofollow')
  })
})

describe('pageDirectives of X-Robots-Tag', () => {
  it.each([
    ['noindex', 'noindex'],
    ['NONE', 'noindex nofollow'],
    ['noarchive, nofollow', 'nofollow'],
    ['orbweaver: nofollow', 'nofollow'],
    ['OrbWeaver : noindex, nofollow', 'noindex nofollow'],
    ['orbweaver/2.0: nofollow', 'nofollow'],
    ['googlebot: noindex, nofollow', ''],
    ['googlebot: noindex, orbweaver: nofollow', 'nofollow'],
    ['orbweaver: noindex, googlebot: nofollow', 'noindex'],
    ['noindex, googlebot: nofollow', 'noindex'],
    ['googlebot:, nofollow', ''],
    ['orbweavers: nofollow', ''],
    ['*: nofollow', 'nofollow'],
    ['googlebot: none, robots: noindex', 'noindex'],
    ['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', 'noindex'],
    ['unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, noindex', 'noindex'],
    ['unavailable_after: Wednesday, 03-Dec-25 13:09:53 GMT, noindex', 'noindex'],
    ['unavailable_after: 2025-12-03T13:09:53Z, noindex', 'noindex'],
    ['googlebot: unavailable_after: 2025-12-03T13:09:53Z, noindex', ''],
    ['orbweaver: unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, noindex', 'noindex'],
    ['max-snippet:-1, nofollow', 'nofollow'],
    ['max-image-preview:none', ''],
    ['googlebot: max-image-preview:none, nofollow', ''],
    ['googlebot: max-snippet:20 nofollow', ''],
    ['googlebot: max-snippet:20 orbweaver: nofollow', 'nofollow'],
    ['max-something-new:5, noindex', 'noindex'],
    ['revisit-after: 7 days, nofollow', 'nofollow'],
    ['otherbot: noindex orbweaver: nofollow', 'nofollow'],
    [': noindex', ''],
  ])('reads "%s" as "%s"', (header, expected) => {
    expect(said([], header)).toBe(expected)
  })

  it("reads each field by itself: a crawler's name applies to its field only", () => {
    expect(said([], ['googlebot: noindex', 'nofollow'])).toBe('nofollow')
    expect(said([], ['orbweaver: noindex', 'googlebot: nofollow'])).toBe('noindex')
  })

  it('are combined with those of the page', () => {
    expect(said([['robots', 'nofollow']], 'noindex')).toBe('noindex nofollow')
  })
})

describe('pageDirectives', () => {
  it('are false by default', () => {
    expect(pageDirectives([], undefined, 'orbweaver')).toEqual({ noindex: false, nofollow: false })
  })

  it('includes only general directives if the crawler has no name', () => {
    expect(pageDirectives([{ name: '', content: 'noindex' }], ': nofollow', '')).toEqual({
      noindex: false,
      nofollow: false,
    })
    expect(pageDirectives([], 'none', '')).toEqual({ noindex: true, nofollow: true })
  })

  it('never throws', () => {
    const pieces = fc.constantFrom(
      ...' ,:*-_\n',
      'noindex',
      'none',
      'orbweaver',
      'max-snippet',
      'é',
    )
    const text = fc.oneof(
      fc.array(pieces).map((all) => all.join('')),
      fc.string(),
    )
    fc.assert(
      fc.property(text, fc.array(text), (meta, header) => void said([['robots', meta]], header)),
    )
  })

  it.each([',', ':', 'a:', 'a: ', ' ', 'noindex ', 'googlebot:noindex,', '*:'])(
    'takes time linear in the size of "%s"',
    async (pattern) => {
      const read = (size: number) => {
        const text = pattern.repeat(size / pattern.length)
        said([['robots', text]], text)
      }
      expect(await growth(read, 4_096)).toBeLessThan(SLACK)
    },
  )
})
