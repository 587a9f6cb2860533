import fc from 'fast-check'

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

const ASSET_NAMES =
  'img IMG image source script link LINK video audio track embed object input body table td th ' +
  'tr tbody thead tfoot a title template noscript imgs'
const ASSET_ATTRIBUTES =
  'src src srcset SRCSET href href rel rel data poster type type background imagesrcset x ='
const FOREIGN_NAMES =
  'svg SVG math a A g use image feImage foreignObject desc title mi mtext annotation-xml script ' +
  'style template p div font table td html x-y'
const FOREIGN_ATTRIBUTES =
  'href href xlink:href XLINK:HREF src rel color face size encoding shadowrootmode x ='
const FOREIGN_VALUES = [
  ...['text/html', 'APPLICATION/XHTML+XML', 'open', '"CLOSED"', '#a', '&#35;a', 'x', '"', "'"],
  ...['nofollow', '"x NOFOLLOW\ty"', 'no&#102;ollow', 'nofollows'],
]
const HEAD_NAMES = 'meta meta META base BASE link link LINK title a script p'
const HEAD_ATTRIBUTES =
  'http-equiv HTTP-EQUIV content content charset name name rel rel href href x ='

const value = fc
  .tuple(pick('"', "'", ''), fc.array(pick(...PIECES), { maxLength: 4, size: 'max' }))
  .map(([quote, pieces]) => quote + pieces.join('') + quote)
const VALUES = ['1', '"/x?a=1&copy=2"', "'&amp;'", '"/a, /b,c 2x"', 'icon', 'image']

function attributeOf(names: readonly string[], values: readonly string[]) {
  const parts = fc.tuple(
    pick('', ' ', '\n', '/', ' / ', '\t', '\f', '\r'),
    pick(...names),
    pick('', ' ', '\n'),
    pick('=', '=', '=', '', '=='),
    pick('', ' ', '\n'),
    fc.oneof(value, pick(...values)),
  )
  return parts.map((all) => all.join(''))
}

function tagOf(names: readonly string[], attributes: readonly string[], values = VALUES) {
  const parts = fc.tuple(
    pick('<', '<', '<', '</'),
    pick(...names),
    fc.array(attributeOf(attributes, values), { maxLength: 3, size: 'max' }),
    pick('>', '>', '/>', ' >', ''),
  )
  return parts.map(([open, name, all, close]) => open + name + all.join('') + close)
}

/** Links after the end of each page. Those that are found show the state in which the scanner ended. */
const PROBES = `<a href=1>"><a href=2>'><a href=3>--><a href=4></script></title></textarea><a href=5>`

function soupOf(tag: fc.Arbitrary<string>) {
  const piece = fc.oneof({ arbitrary: pick(...PIECES), weight: 3 }, { arbitrary: tag, weight: 2 })
  const pieces = fc.array(piece, { maxLength: 25, size: 'max' })
  return pieces.map((all) => all.join('') + PROBES)
}

const HEAD_VALUES = [
  ...['refresh', 'REFRESH', 'refres&#104;', '"0;url=/r"', "'1; URL=x'", '"0"', '5', 'content-type'],
  ...['"text/html; charset=gbk"', '\'text/html;CHARSET = "euc-kr"\'', 'utf-8', 'utf-16', 'no'],
  ...['iso-8859-2', 'iso-2022-jp', 'replacement', 'x-user-defined', 'windows-1251', 'gb18030'],
  ...[
    'robots',
    '"ROBOTS"',
    'orbweaver',
    'OrbWeaver',
    'googlebot',
    'rob&#111;ts',
    'noindex,nofollow',
  ],
  ...['canonical', '"x\tCANONICAL y"', 'canon&#105;cal', 'stylesheet', '/c', '"/é?q=é"', '&amp;'],
]

/** Pages without SVG and MathML, made of relevant tags, truncated and nested in all ways. */
export const tagSoup: fc.Arbitrary<string> = soupOf(tagOf(NAMES.split(' '), ATTRIBUTES))

/** Pages made of tags that refer to assets. */
export const assetSoup: fc.Arbitrary<string> = soupOf(
  tagOf(ASSET_NAMES.split(' '), ASSET_ATTRIBUTES.split(' ')),
)

/** Pages with SVG, MathML, and tags that end them. */
export const foreignSoup: fc.Arbitrary<string> = soupOf(
  tagOf(FOREIGN_NAMES.split(' '), FOREIGN_ATTRIBUTES.split(' '), FOREIGN_VALUES),
)

/** Pages made of tags that occur in the head. */
export const headSoup: fc.Arbitrary<string> = soupOf(
  tagOf(HEAD_NAMES.split(' '), HEAD_ATTRIBUTES.split(' '), HEAD_VALUES),
)
