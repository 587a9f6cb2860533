import { describe, expect, it } from 'vitest'
import { page } from './scanned.ts'

describe('scan reads the head', () => {
  it('with the first base that has an href', () => {
    expect(page('<base target=x><base href="/a&amp;b"><base href=/c>').base).toBe('/a&b')
  })

  it('with the first title, white space stripped and collapsed', () => {
    const html = '<title>\n A &amp; B \t <b>\u00a0C</title><title>no</title>'
    expect(page(html).title).toBe('A & B <b>\u00a0C')
  })

  it('with a title of 1,000 characters at most', () => {
    expect(page(`<title>${'ab '.repeat(100_000)}`).title).toHaveLength(1_000)
  })

  it('with an empty title as such', () => {
    expect(page('<title> </title>').title).toBe('')
  })

  it('with canonical, also among other values of rel', () => {
    const html =
      '<link rel=stylesheet href=no><link rel="x CANONICAL" href=1><link rel=canonical href=2>'
    expect(page(html).canonical).toBe('1')
  })

  it('with robots directives for all crawlers and for the given agents', () => {
    const html =
      '<meta name=Robots content="noindex, nofollow"><meta name=orbbot content=none>' +
      '<meta name=otherbot content=all><meta name=description content=x><meta name=robots>'
    expect(page(html, { agents: ['orbbot'] }).robots).toEqual([
      { name: 'robots', content: 'noindex, nofollow' },
      { name: 'orbbot', content: 'none' },
    ])
  })

  it('but without values of more than 65,536 characters', () => {
    const long = 'x'.repeat(65_537)
    const html =
      `<base href="${long}"><link rel=canonical href="${long}"><meta name=robots content="${long}">` +
      `<meta http-equiv=refresh content="0;url=${long}"><a href=1 rel="${long}"></a><img src="${long}">`
    const { outlinks, assets, robots, ...head } = page(html, { assets: true })
    expect([...outlinks]).toEqual([{ tag: 'a', attribute: 'href', href: '1' }])
    expect({ assets, robots, ...head }).toEqual({ assets: [], robots: [] })
  })

  it('with the first valid refresh as a link', () => {
    const html =
      '<meta http-equiv=refresh content=soon><meta HTTP-EQUIV=Refresh content="0; URL=/a?b&amp;c">' +
      '<meta http-equiv=refresh content="0;url=/no">'
    expect([...page(html).outlinks]).toEqual([
      { tag: 'meta', attribute: 'content', href: '/a?b&c' },
    ])
  })
})
