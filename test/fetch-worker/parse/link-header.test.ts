import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerLinks } from '../../../src/fetch-worker/parse/link-header.ts'
import { growth, SLACK } from '../../support/growth.ts'

describe('headerLinks', () => {
  it.each([
    ['next', '</2>; rel=next'],
    ['next', '</2>;rel="next"'],
    ['NEXT', ' < /2 > ; REL = "NEXT" '],
    ['prev', '</2>; rel=prev; title="a, b; c <d>"'],
    ['previous nofollow', '</2>; rel="previous nofollow"'],
    ['http://example.org/x index', '</2>; rel="http://example.org/x index"'],
    ['first', '</2>; title=x; rel=first'],
    ['last', "</2>; title*=UTF-8''x; rel=last"],
    ['up', '</2>; rel=up; rel=stylesheet'],
    ['start', '</2>; crossorigin; rel=start'],
    ['contents', '</2>;;rel=contents;'],
    ['canonical', '</2>; rel=canonical junk'],
    ['alternate', '</2>; rel=alternate; hreflang=de'],
    ['alternate', '</2>; rel=alternate; type="text/html; charset=utf-8"'],
    ['alternate', '</2>; rel=alternate; type=application/xhtml+xml'],
    ['next', '</2>; title="a \\" b"; rel=next'],
    ['next', '</2>; rel="ne\\xt"'],
    ['next', '</2>; rel="next'],
    ['next', 'junk, </2>; rel=next'],
    ['next', 'x="y", ,</2>; rel=next,'],
  ])('finds the link with rel %s in %s', (rel, header) => {
    expect(headerLinks(header)).toEqual([{ href: '/2', rel }])
  })

  it.each([
    undefined,
    '',
    '</2>',
    '</2>; rel',
    '</2>; rel=""',
    '</a.css>; rel=stylesheet',
    '</a.css>; rel="alternate stylesheet"; type="text/css"',
    '</a.css>; rel="Alternate StyleSheet"',
    '</a.ico>; rel="alternate icon"',
    '</a.js>; rel=preload; as=script',
    '<https://cdn.example>; rel=preconnect',
    '</wp-json/>; rel="https://api.w.org/"',
    '</feed>; rel=alternate; type="application/rss+xml"',
    '</1.json>; rel=next; type=application/json',
    '</2>; rev=next',
    '</2>; rel=nextpage',
    '</2; rel=next',
    '/2; rel=next',
    '"</2>; rel=next',
  ])('finds no link in %s', (header) => {
    expect(headerLinks(header)).toEqual([])
  })

  it('finds several in a field, and in several fields, in order', () => {
    const fields = ['</1>; rel=prev, </a.css>; rel=stylesheet,</2,3>; rel="next"', '<>; rel=up']
    expect(headerLinks(fields)).toEqual([
      { href: '/1', rel: 'prev' },
      { href: '/2,3', rel: 'next' },
      { href: '', rel: 'up' },
    ])
  })

  it('reads UTF-8 as such, and anything else as Latin-1', () => {
    const utf8 = Buffer.from('</é>; rel=next').toString('latin1')
    expect(headerLinks([utf8, '</\xe9>; rel=next'])).toEqual([
      { href: '/é', rel: 'next' },
      { href: '/é', rel: 'next' },
    ])
  })

  it('reads at most a thousand links', () => {
    expect(headerLinks(Array(600).fill('</a>; rel=next, </b>; rel=next'))).toHaveLength(1_000)
  })

  it('never throws', () => {
    const pieces = fc.constantFrom(
      ...'<>;,="\\ \t',
      'rel',
      'next',
      'type',
      '</a>; rel=next',
      '\xe9',
    )
    const text = fc.oneof(
      fc.array(pieces).map((all) => all.join('')),
      fc.string(),
    )
    fc.assert(fc.property(fc.array(text), (fields) => void headerLinks(fields)))
  })

  it.each([
    '<',
    '<,',
    '>',
    '>,',
    '<>',
    '<>,',
    '<>;',
    ';',
    '; ',
    '"',
    '<>;a="',
    '<>;a="\\',
    'a ',
    ',',
    '\\',
  ])('takes time linear in the size of "%s"', async (pattern) => {
    for (const head of ['', '<>', '<>;a="', '<>;a']) {
      const read = (size: number) => headerLinks(head + pattern.repeat(size / pattern.length))
      expect(await growth(read, 4_096), head).toBeLessThan(SLACK)
    }
  })
})
