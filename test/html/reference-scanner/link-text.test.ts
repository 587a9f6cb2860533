import { describe, expect, it } from 'vitest'
import { page } from './scanned.ts'

const texts = (html: string) =>
  [...page(html).outlinks.shown()].map(({ href, text }) => [href, text])

describe('the text of a link', () => {
  it.each([
    [
      'its text, without tags, white space collapsed',
      '<a href=x>\n A <b>b</b>old&amp; new </a>no',
      'A bold& new',
    ],
    ['the text up to the next link', '<a href=x>one<a name=y>two</a>', 'one'],
    ['the text without comments', '<a href=x>a<!-- > <b> -->b<!doctype c>d<?e?>f</a>', 'abdf'],
    [
      'the text without scripts, styles and frames',
      '<a href=x><script>var x = "<a>"<!--<script></script>--></script>o<style>p {}</STYLE><iframe>f</iframe>k</a>',
      'ok',
    ],
    ['the text after stray end tags', '<a href=x></script>ok</style></a>', 'ok'],
    ['a < that starts no tag', '<a href=x>1 < 2 <3</a>', '1 < 2 <3'],
    [
      'the alt text of the first image that has one',
      `<a href=x><img src=a><img alt='a &gt; "b"' src=b></a>`,
      'a > "b"',
    ],
    [
      'the alt text of an image, not a part of another attribute',
      `<a href=x><img data-alt=no src="x alt=fake" title=' alt="no"' ALT = real alt=no></a>`,
      'real',
    ],
    ['empty if the alt text is not closed', '<a href=x><img alt="a b', ''],
    ['text rather than the alt text of an image', '<a href=x><img alt="a > b" src=a>t</a>', 't'],
    ['empty without text', '<a href=x> <img src=a alt=""><span title=t></span></a>', ''],
    ['limited to 200 characters', `<a href=x>${'é'.repeat(5_000)}</a>`, 'é'.repeat(200)],
    ['the text before the end of the page', '<a href=x>end <b title="', 'end'],
  ])('is %s', (_, html, text) => expect(texts(html)[0]).toEqual(['x', text]))

  it('is recorded for links in SVG, and not for frames', () => {
    const html = '<svg><a href=s><text>drawn</text></a></svg><iframe src=f></iframe>after'
    expect(texts(html)).toEqual([
      ['s', 'drawn'],
      ['f', ''],
    ])
  })
})
