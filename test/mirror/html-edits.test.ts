import { describe, expect, it } from 'vitest'
import { htmlEdits } from '../../src/mirror/html-edits.ts'
import { applyEdits } from '../../src/mirror/text-edits.ts'
import { growth, SLACK } from '../support/growth.ts'

/** Rewrites a page of a mirror: relative URLs get a new place. */
function rewritten(html: string, charset: string | undefined = 'utf-8'): string {
  const rewriterFor = (base = '') => {
    return (url: string) => (/^(?:#|data:)/.test(url) ? undefined : `x/${base}${url}`)
  }
  const reading = { rewriterFor, decode: (piece: string) => piece, charset }
  return applyEdits(html, htmlEdits(html, reading)).replace('<meta charset="utf-8">', '')
}

describe('a mirrored page', () => {
  it.each([
    ['<a href="a">', '<a href="x/a">'],
    [`<A  HREF = 'a'  rel=b>`, `<A  HREF = 'x/a'  rel=b>`],
    ['<a href=a>', '<a href="x/a">'],
    ['<a href=a/>', '<a href="x/a/">'],
    ['<a href="a?b&amp;c=d&copy">', '<a href="x/a?b&#x26;c=d&#xa9;">'],
    [`<a href='&#97;"'>`, `<a href='x/a&#x22;'>`],
    ['<a href="é">', '<a href="x/&#xe9;">'],
    [
      '<img src="a" srcset="b, c,d 2x , e 3x,">',
      '<img src="x/a" srcset="x/b, x/c,d 2x , x/e 3x,">',
    ],
    [
      '<video poster=a><source src="b"><object data="c">',
      '<video poster="x/a"><source src="x/b"><object data="x/c">',
    ],
    [
      '<svg><a xlink:href="a"><use href="#b"/></svg>',
      '<svg><a xlink:href="x/a"><use href="#b"/></svg>',
    ],
    [
      '<img data-original="a.jpg" data-lazy-srcset="/b 1x"><p data-bg="c.png">',
      '<img data-original="x/a.jpg" data-lazy-srcset="x//b 1x"><p data-bg="x/c.png">',
    ],
    ['<p data-bg="dark">', '<p data-bg="dark">'],
    [
      '<iframe srcdoc="<img src=&quot;/a&quot;><style>p{b:url(c)}"></iframe><a href=d>',
      '<iframe srcdoc="&#x3c;img src=&#x22;x//a&#x22;&#x3e;&#x3c;style&#x3e;p{b:url(&#x22;x/c&#x22;)}"></iframe><a href="x/d">',
    ],
    ['<iframe srcdoc="<p>&lt;"></iframe>', '<iframe srcdoc="<p>&lt;"></iframe>'],
    ["<iframe srcdoc='<base href=/b/><a href=c>'>", "<iframe srcdoc='<base href=/b/><a href=c>'>"],
    ['<iframe srcdoc=<iframe/srcdoc=<img/src=a>', '<iframe srcdoc=<iframe/srcdoc=<img/src=a>'],
    ['<style/>p { mask: url(a) }<b></style>', '<style/>p { mask: url("x/a") }<b></style>'],
    ['<svg><style/>url(a)</svg><a href=a>', '<svg><style/>url(a)</svg><a href="x/a">'],
    [
      '<!-- --!><a href=a><iframe><a href=a></iframe>',
      '<!-- --!><a href="x/a"><iframe><a href=a></iframe>',
    ],
    ['<style>p { background: url(a) }', '<style>p { background: url("x/a") }'],
    ['<p data-bg-multi="url(a)">', '<p data-bg-multi="url(&#x22;x/a&#x22;)">'],
    ['<p style="background: url(\'a\')">', '<p style="background: url(&#x22;x/a&#x22;)">'],
    ['<style>p { background: url(a) }</style>', '<style>p { background: url("x/a") }</style>'],
    [
      '<meta http-equiv=refresh content="5; url=a">',
      '<meta http-equiv=refresh content="5; url=x/a">',
    ],
    ['<form action="a"><button formaction="b">', '<form action="x/a"><button formaction="x/b">'],
    ['<base href="b/"><a href="a"><a href="#c">', '<base href=""><a href="x/b/a"><a href="#c">'],
    [
      '<link href="a" integrity="b" crossorigin>',
      '<link href="x/a" data-integrity="b" data-crossorigin>',
    ],
    [
      '<meta http-equiv=Content-Security-Policy content="a">',
      '<meta http-equiv=Content-Security-Policy content="">',
    ],
  ])('with %s gets %s', (html, after) => {
    expect(rewritten(html)).toBe(after)
  })

  it.each([
    [`0;url=a'b`, `0;url=x/a&#x27;b`],
    [`0;url='"' c`, `0;url=&#x27;x/&#x22;&#x27; c`],
    ['0;\u00a0url=a', '0;x/&#xa0;url=a'],
    ['5x;url=a', '5x;url=a'],
    ['url=a', 'url=a'],
    [`0;url=''`, `0;url=''`],
  ])('with a refresh of %s gets a new URL where browsers find one', (content, after) => {
    const meta = (value: string) =>
      `<meta http-equiv=refresh content="${value.replaceAll('"', '&quot;')}">`
    expect(rewritten(meta(content))).toBe(meta(after))
  })

  it.each([
    '<a href><a href=""><a href="#a"><img src="data:a"><p data="a" content="b">',
    '<!-- <a href="a"> --><script>"<a href=\'a\'>"</script><textarea><a href="a"></textarea>',
    '<title><a href="a"></title><meta name=description content="url=a">',
    '<a href="a',
    '<style>p { content: "url(a)" }',
  ])('is unchanged with %s', (html) => {
    expect(rewritten(html)).toBe(html)
  })

  it.each([
    ['<p>', '<meta charset="big5"><p>'],
    [
      '<!doctype html><html lang=a><head><title>',
      '<!doctype html><html lang=a><head><meta charset="big5"><title>',
    ],
    ['<!doctype html>\n<p><html>', '<!doctype html><meta charset="big5">\n<p><html>'],
    ['<meta charset=Big5-HKSCS><p>', '<meta charset=Big5-HKSCS><p>'],
    [
      '<meta http-equiv=Content-Type content="text/html; charset=big5">',
      '<meta http-equiv=Content-Type content="text/html; charset=big5">',
    ],
    ['<meta charset="utf-8">', '<meta charset="big5"><meta charset="utf-8">'],
    ['<meta charset="none">', '<meta charset="big5"><meta charset="none">'],
    [
      `<p>${'x'.repeat(1_024)}<meta charset=big5>`,
      `<meta charset="big5"><p>${'x'.repeat(1_024)}<meta charset=big5>`,
    ],
  ])('whose encoding only the server declared, such as %s, declares it itself', (html, after) => {
    const reading = { rewriterFor: () => () => undefined, decode: String, charset: 'big5' }
    expect(applyEdits(html, htmlEdits(html, reading))).toBe(after)
  })

  it('of XML gets no declaration, and links in CDATA are ignored', () => {
    const xml = '<svg><![CDATA[<a href="b">]]><image href="a"/></svg>'
    const reading = { rewriterFor: () => () => 'c', decode: String, charset: undefined }
    expect(applyEdits(xml, htmlEdits(xml, reading))).toBe(xml.replace('"a"', '"c"'))
  })

  it.each([
    '<a href="',
    "<a href=a style='",
    '<img srcset=",',
    '<img srcset="a ,',
    '<meta http-equiv=refresh content=" ',
    '<meta http-equiv=content-type content="charset= ',
    '<base ',
    '<style>url(',
    '<p style="url(',
    '<!--',
    '&',
  ])('is edited in linear time if it repeats %s', async (piece) => {
    const work = (size: number) => {
      rewritten(piece.repeat(size))
      rewritten(piece + (piece.at(-1) ?? '').repeat(size))
    }
    expect(await growth(work, 500)).toBeLessThan(SLACK)
  })

  it('has the links in the first 1,000 attributes of a tag rewritten', () => {
    const written = (count: number) => `<a${' src=a'.repeat(count)}>`
    expect(rewritten(written(1_000))).toBe(written(1_000).replaceAll('=a', '="x/a"'))
    const rest = ' src=a'.repeat(200_000)
    expect(rewritten(`${written(1_000).slice(0, -1)}${rest}>`)).toBe(
      `${rewritten(written(1_000)).slice(0, -1)}${rest}>`,
    )
  })
})
