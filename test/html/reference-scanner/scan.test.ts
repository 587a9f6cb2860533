import { describe, expect, it } from 'vitest'
import { gives, hrefs, page } from './scanned.ts'

describe('scan', () => {
  describe('finds links', () => {
    it('of a, area, iframe and frame, with tag, attribute and rel, in page order', () => {
      const html =
        '<a href=1 rel="nofollow ugc">x</a><map><area href=2></map><iframe src=3></iframe>' +
        '<frameset><frame src=4></frameset><img src=5><link href=6><form action=7>'
      expect([...page(html).outlinks]).toEqual([
        { tag: 'a', attribute: 'href', href: '1', rel: 'nofollow ugc' },
        { tag: 'area', attribute: 'href', href: '2' },
        { tag: 'iframe', attribute: 'src', href: '3' },
        { tag: 'frame', attribute: 'src', href: '4' },
      ])
    })

    it('up to the limit, and still reads the head', () => {
      const { outlinks, title } = page(`${'<a href=x>'.repeat(9)}<title>t</title>`, { maxLinks: 3 })
      expect(outlinks).toHaveLength(3)
      expect(title).toBe('t')
    })

    it('except those longer than any URL', () => {
      expect(
        hrefs(`<a href="${'x'.repeat(65_536)}"><a href="${'x'.repeat(65_537)}">`),
      ).toHaveLength(1)
    })

    it('except for anchors without href', () => {
      expect(hrefs('<a name=x><a><a hrefs=x><a hre=x><abbr href=x>')).toEqual([])
    })
  })

  describe('reads attributes', () => {
    gives([
      [
        'in double quotes, single quotes and none',
        `<a href="1"><a href='2'><a href=3>`,
        '1',
        '2',
        '3',
      ],
      ['in upper case', '<A HREF=1><a hReF="2">', '1', '2'],
      ['the first of the same name', '<a href=1 href=2><a HREF href=2>', '1', ''],
      ['without white space between them', `<a class="x"href="1"id='y'href=2>`, '1'],
      ['after slashes', '<a/href=1><a / href=2 /><a//href="3"/>', '1', '2', '3'],
      ['with a slash in an unquoted value', '<a href=/1/><a href=2/ >', '/1/', '2/'],
      ['across line ends, tabs and form feeds', '<a\nhref\r\n=\t\f1\n>', '1'],
      ['with > inside quotes', '<a title=">" href=1><p title="<a href=no>"><a href=2>', '1', '2'],
      ['with quotes inside other quotes', `<p title='"' x="'"><a href=1>`, '1'],
      ['with a stray quote', `<p "><a href=1>" '><a href=2>`, '1', '2'],
      ['with a quote inside an unquoted value', '<a href=1"><a href=2>', '1"', '2'],
      ['named =, so that the next = gives the value', '<a ="no" =href=x href==1>', '=1'],
      ['without a value', '<a href=><a href><a href= >', '', '', ''],
      ['containing a NUL', '<a href="a\0b"><a h\0ref=x>', 'a\uFFFDb'],
      ['containing line endings, each as one line feed', '<a href="a\r\nb\rc\nd">', 'a\nb\nc\nd'],
      ['but not of a tag with a NUL or a colon in its name', '<a\0 href=x><x:a href=y><a- href=z>'],
    ])
  })

  describe('resolves character references in attributes', () => {
    gives([
      ['named and numeric', '<a href="?a=1&amp;b=&#50;&#x33;&eacute;">', '?a=1&b=23é'],
      ['without semicolon at the end', '<a href="?x=1&amp"><a href=?&copy>', '?x=1&', '?©'],
      [
        'but not without semicolon before = or a letter',
        '<a href="?a&copy=1&notit&lt1">',
        '?a&copy=1&notit&lt1',
      ],
      [
        'with Windows code points and those outside Unicode',
        '<a href="&#128;&#0;&#x110000;">',
        '€\uFFFD\uFFFD',
      ],
      ['after decoding', '<a href="é&eacute;日">', 'éé日'],
    ])
  })

  describe('skips comments and similar constructs', () => {
    gives([
      ['a comment', '<!-- <a href=no> > -- > --><a href=1>', '1'],
      [
        'a comment closed at once',
        '<!--><a href=1><!---><a href=2><!----><a href=3>',
        '1',
        '2',
        '3',
      ],
      ['a comment closed by --!>', '<!-- <a href=no> --!><a href=1>', '1'],
      ['a comment that starts with --!>', '<!---!><a href=no>--><a href=1>', '1'],
      ['a comment with many dashes', '<!------ <a href=no> -----><a href=1>', '1'],
      ['a comment that never ends', '<a href=1><!-- <a href=no> ->', '1'],
      [
        'bogus comments',
        '<!x <a href=no><a href=1><?x <a href=no><a href=2></ x <a href=no>',
        '1',
        '2',
      ],
      ['an empty end tag', '</><a href=1></ ><a href=2>', '1', '2'],
      ['a doctype, even with > in quotes', '<!DOCTYPE html "<a href=no>"><a href=1>', '1'],
      ['a CDATA section, which HTML does not have', '<![CDATA[<a href=no>]]><a href=1>', '1'],
      ['a < that opens nothing', '< a href=no><3<<a href=1><', '1'],
      ['an end tag with attributes', '</p title="<a href=no>"></a href=no><a href=1>', '1'],
      ['a tag cut by the end of the page', '<a href=1><a href=no', '1'],
      ['a value cut by the end of the page', '<a href=1><a href="no>', '1'],
      ['an end tag cut by the end of the page', '<a href=1></a', '1'],
    ])
  })

  describe('treats as text the content of', () => {
    gives([
      [
        'style, xmp, iframe, noembed, noframes and textarea',
        '<style><a href=no></style><xmp><a href=no></xmp><iframe><a href=no></iframe><noembed><a href=no></noembed><noframes><a href=no></noframes><textarea><a href=no></textarea><a href=1>',
        '1',
      ],
      ['title', '<title><a href=no></title><a href=1>', '1'],
      ['script', '<script>"<a href=no></a>"</script><a href=1>', '1'],
      [
        'script up to its end tag, whatever the case',
        '<script></scripty></ script><a href=no></SCRIPT\n><a href=1>',
        '1',
      ],
      ['script with a comment', '<script><!-- <a href=no> --></script><a href=1>', '1'],
      [
        'script with a script inside a comment',
        '<script><!--<script></script><a href=no>--></script><a href=1>',
        '1',
      ],
      ['script whose inner comment ends first', '<script><!--<script>--></script><a href=1>', '1'],
      ['script whose comment is closed at once', '<script><!--><script></script><a href=1>', '1'],
      ['script whose comment is never closed', '<script><!-- </script><a href=1>', '1'],
      ['an element that is never closed', '<a href=1><textarea><a href=no>', '1'],
      ['plaintext, to the end', '<a href=1><plaintext></plaintext><a href=no>', '1'],
      ['no noscript', '<noscript><a href=1></noscript>', '1'],
    ])
  })

  describe('ignores templates', () => {
    gives([
      [
        'with everything inside them',
        '<template><a href=no><template></template><a href=no></template><a href=1>',
        '1',
      ],
      [
        'unless they are shadow roots',
        '<div><template shadowrootmode=OPEN><a href=1></template></div>',
        '1',
      ],
      ['but not after a lone end tag', '</template><a href=1>', '1'],
    ])

    it('and the title, base and robots in them', () => {
      const html =
        '<template><title>no</title><base href=no><meta name=robots content=no></template>'
      const { outlinks, ...head } = page(html)
      expect(outlinks).toHaveLength(0)
      expect(head).toEqual({ assets: [], robots: [] })
    })
  })
})
