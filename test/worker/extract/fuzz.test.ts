import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pieceDecoder } from '../../../src/url/piece-decoder.ts'
import { extract } from '../../../src/worker/extract/extract.ts'
import { scan } from '../../../src/worker/extract/scan.ts'
import { assetOracle, tokenOracle } from './token-oracle.ts'

const decode = pieceDecoder('utf-8')
const pick = (...pieces: string[]) => fc.constantFrom(...pieces)

const PIECES = [
  ...[
    '<',
    '</',
    '>',
    '/',
    '=',
    '"',
    "'",
    ' ',
    '\n',
    '\r\n',
    '\r',
    '\f',
    '\0',
    '!',
    '-',
    '--',
    '`',
    'x',
    'é',
    '日',
  ],
  ...[
    '-->',
    '--!>',
    '<!--',
    '<!---',
    '<!',
    '<?',
    '<!-->',
    '<!--->',
    '!>',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE html>',
  ],
  ...[',', ', ', '1x', '(', ')', 'icon', 'image'],
  ...['&', '&amp;', '&amp', '&copy', '&copy=', '&#x41;', '&#65', '&#0;', '&#128;', '&notit;'],
  ...[
    'href',
    'href=',
    'HREF="',
    'src=',
    "rel='x y'",
    '<a href=x>',
    '<a href="y">',
    '</title>',
    '<title>',
  ],
  ...[
    '<script>',
    '</script>',
    '</script',
    '<!--<script>',
    '<template>',
    '</template>',
    '<plaintext>',
  ],
]
const NAMES =
  'a a a A area b div iframe iframe frame title TITLE textarea script sCript style xmp noembed ' +
  'noframes template noscript x-y a\0 á plaintextx'
const ATTRIBUTES = ['href', 'HREF', 'src', 'rel', 'x', '=', '', 'h\0ref']

const value = fc
  .tuple(pick('"', "'", ''), fc.array(pick(...PIECES), { maxLength: 4, size: 'max' }))
  .map(([quote, pieces]) => quote + pieces.join('') + quote)
function attributeOf(names: readonly string[]) {
  const parts = fc.tuple(
    pick('', ' ', '\n', '/', ' / ', '\t', '\f', '\r'),
    pick(...names),
    pick('', ' ', '\n'),
    pick('=', '=', '=', '', '=='),
    pick('', ' ', '\n'),
    fc.oneof(value, pick('1', '"/x?a=1&copy=2"', "'&amp;'", '"/a, /b,c 2x"', 'icon', 'image')),
  )
  return parts.map((all) => all.join(''))
}

function tagOf(names: readonly string[], attributes: readonly string[]) {
  const parts = fc.tuple(
    pick('<', '<', '<', '</'),
    pick(...names),
    fc.array(attributeOf(attributes), { maxLength: 3, size: 'max' }),
    pick('>', '>', '/>', ' >', ''),
  )
  return parts.map(([open, name, all, close]) => open + name + all.join('') + close)
}

/** Links behind whatever state a page may end in: they tell in which one the scanner is. */
const PROBES = `<a href=1>"><a href=2>'><a href=3>--><a href=4></script></title></textarea><a href=5>`

function soupOf(tag: fc.Arbitrary<string>) {
  const piece = fc.oneof({ arbitrary: pick(...PIECES), weight: 3 }, { arbitrary: tag, weight: 2 })
  const pieces = fc.array(piece, { maxLength: 25, size: 'max' })
  return pieces.map((all) => all.join('') + PROBES)
}

const soup = soupOf(tagOf(NAMES.split(' '), ATTRIBUTES))

it('finds the links that the tokenizer of parse5 finds in a soup of tags', () => {
  fc.assert(
    fc.property(soup, (html) => {
      const { outlinks } = scan(Buffer.from(html), { maxLinks: 1_000, decode })
      expect([...outlinks]).toEqual(tokenOracle(html))
    }),
    { numRuns: 5_000 },
  )
})

it('finds the assets that the tokenizer of parse5 finds in a soup of tags', () => {
  const names =
    'img IMG image source script link LINK video audio track embed object input body table td th ' +
    'tr tbody thead tfoot a title template noscript imgs'
  const attributes =
    'src src srcset SRCSET href href rel rel data poster type type background imagesrcset x ='
  const tag = tagOf(names.split(' '), attributes.split(' '))
  fc.assert(
    fc.property(soupOf(tag), (html) => {
      const { assets, outlinks } = scan(Buffer.from(html), {
        maxLinks: 1_000,
        decode,
        assets: true,
      })
      expect([...outlinks]).toEqual(tokenOracle(html))
      expect([...assets].sort()).toEqual(assetOracle(html).sort())
    }),
    { numRuns: 5_000 },
  )
})

it('throws at no bytes and no charset', () => {
  const charset = fc.option(
    fc.oneof(pick('gbk', 'shift_jis', 'euc-kr', 'utf-16', 'iso-2022-jp'), fc.string()),
    { nil: undefined },
  )
  const bytes = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 9 }),
      soup.map((html) => Buffer.from(html, 'utf8')),
    ),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(bytes, charset, (parts, label) => {
      const { page } = extract(Buffer.concat(parts), label, {
        ...{ maxLinks: 10, assets: true },
      })
      expect(page.outlinks.length + page.assets.length).toBeLessThanOrEqual(10)
    }),
    { numRuns: 2_000 },
  )
})
