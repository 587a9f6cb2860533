import { html as spec, type Token, Tokenizer, TokenizerMode } from 'parse5'
import type { Outlink } from '../../../src/html/reference-scanner/outlinks.ts'
import { srcsetOracle } from '../../url/srcset-oracle.ts'

const LINKS: Record<string, 'href' | 'src'> = {
  a: 'href',
  area: 'href',
  iframe: 'src',
  frame: 'src',
}

const MODES = new Map<string, number>([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
])

/** Returns the links of a page without SVG and MathML, by parse5's tokenizer. */
export function tokenOracle(page: string): Outlink[] {
  const outlinks: Outlink[] = []
  forEachTag(page, (tag) => {
    const link = linkOf(tag)
    if (link !== undefined) outlinks.push(link)
  })
  return outlinks
}

/** Returns the link of an HTML tag. */
export function linkOf({ tagName, attrs }: Token.TagToken): Outlink | undefined {
  const attribute = LINKS[tagName]
  const value = (name: string) => attrs.find((each) => each.name === name)?.value
  const href = attribute && value(attribute)
  if (attribute === undefined || href === undefined) return undefined
  const rel = value('rel')
  const link = { href, tag: tagName as Outlink['tag'], attribute }
  return rel === undefined ? link : { ...link, rel }
}

const ASSETS =
  /^(?:(?:img|image|source|script|video|audio|track|embed|input) src|video poster|object data|link href|(?:body|table|thead|tbody|tfoot|tr|td|th) background)$/
const SRCSETS = /^(?:(?:img|image|source) srcset|link imagesrcset)$/
const LOADED =
  /(?:^|[\t\n\f\r ])(?:stylesheet|icon|apple-touch-icon|apple-touch-icon-precomposed|mask-icon|preload|modulepreload|manifest)(?:[\t\n\f\r ]|$)/i

/** Returns the assets of a page without SVG and MathML, in no particular order, by parse5's tokenizer. */
export function assetOracle(page: string): string[] {
  const assets: string[] = []
  forEachTag(page, ({ tagName, attrs }) => {
    const value = (name: string) => attrs.find((each) => each.name === name)?.value ?? ''
    if (tagName === 'link' && !LOADED.test(value('rel'))) return
    if (tagName === 'input' && !/^image$/i.test(value('type'))) return
    for (const { name, value: text } of attrs) {
      if (SRCSETS.test(`${tagName} ${name}`)) assets.push(...srcsetOracle(text))
      if (ASSETS.test(`${tagName} ${name}`) && text !== '') assets.push(text)
    }
  })
  return assets
}

/** Calls `visit` for the start tags outside of templates. */
function forEachTag(page: string, visit: (tag: Token.TagToken) => void): void {
  let templates = 0
  const ignore = () => undefined
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onEndTag: ({ tagName }) => {
        if (tagName === 'template' && templates > 0) templates--
      },
      onStartTag: (tag) => {
        const { tagName } = tag
        tokenizer.state = MODES.get(tagName) ?? TokenizerMode.DATA
        if (tagName === spec.TAG_NAMES.TEMPLATE) templates++
        if (templates === 0) visit(tag)
      },
    },
  )
  tokenizer.write(page, true)
}
