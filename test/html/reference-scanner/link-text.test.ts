import { describe, expect, it } from 'vitest'
import { page } from './scanned.ts'

const texts = (html: string) =>
  [...page(html).outlinks.shown()].map(({ href, text }) => [href, text])

describe('what a link shows', () => {
  it.each([
    [
      'its text, without tags, white space collapsed',
      '<a href=x>\n A <b>b</b>old&amp; new </a>no',
      'A bold& new',
    ],
    ['no further than to the next link', '<a href=x>one<a name=y>two</a>', 'one'],
    ['no comments', '<a href=x>a<!-- > <b> -->b<!doctype c>d<?e?>f</a>', 'abdf'],
    [
      'no scripts, no styles and no frames',
      '<a href=x><script>var x = "<a>"<!--<script></script>--></script>o<style>p {}</STYLE><iframe>f</iframe>k</a>',
      'ok',
    ],
    ['the text after stray end tags', '<a href=x></script>ok</style></a>', 'ok'],
    ['a sign that begins no tag', '<a href=x>1 < 2 <3</a>', '1 < 2 <3'],
    [
      'the first picture that says what it is',
      `<a href=x><img src=a><img alt='a &gt; "b"' src=b></a>`,
      'a > "b"',
    ],
    [
      'the alternative text of a picture, not a part of another attribute',
      `<a href=x><img data-alt=no src="x alt=fake" title=' alt="no"' ALT = real alt=no></a>`,
      'real',
    ],
    ['nothing of a text that is not closed', '<a href=x><img alt="a b', ''],
    ['a text rather than a picture', '<a href=x><img alt="a > b" src=a>t</a>', 't'],
    [
      'nothing where there is nothing',
      '<a href=x> <img src=a alt=""><span title=t></span></a>',
      '',
    ],
    ['200 characters', `<a href=x>${'é'.repeat(5_000)}</a>`, 'é'.repeat(200)],
    ['what stands there when the page ends', '<a href=x>end <b title="', 'end'],
  ])('is %s', (_, html, text) => expect(texts(html)[0]).toEqual(['x', text]))

  it('is told of links in SVG, and not of frames', () => {
    const html = '<svg><a href=s><text>drawn</text></a></svg><iframe src=f></iframe>after'
    expect(texts(html)).toEqual([
      ['s', 'drawn'],
      ['f', ''],
    ])
  })
})
