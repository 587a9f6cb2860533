import { html as spec, type Token, Tokenizer, TokenizerMode } from 'parse5'
import type { Outlink } from '../../../src/worker/extract/outlinks.ts'
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

/** The links of a page without SVG and MathML, by parse5's tokenizer. */
export function tokenOracle(page: string): Outlink[] {
  const outlinks: Outlink[] = []
  forEachTag(page, ({ tagName, attrs }) => {
    const attribute = LINKS[tagName]
    if (attribute === undefined) return
    const value = (name: string) => attrs.find((each) => each.name === name)?.value
    const href = value(attribute)
    const rel = value('rel')
    if (href === undefined) return
    const link = { href, tag: tagName as Outlink['tag'], attribute }
    outlinks.push(rel === undefined ? link : { ...link, rel })
  })
  return outlinks
}

const ASSETS =
  /^(?:(?:img|image|source|script|video|audio|track|embed|input) src|video poster|object data|link href|(?:body|table|thead|tbody|tfoot|tr|td|th) background)$/
const SRCSETS = /^(?:(?:img|image|source) srcset|link imagesrcset)$/
const LOADED =
  /(?:^|[\t\n\f\r ])(?:stylesheet|icon|apple-touch-icon|preload|modulepreload|manifest)(?:[\t\n\f\r ]|$)/i

/** The assets of a page without SVG and MathML, in no particular order, by parse5's tokenizer. */
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
