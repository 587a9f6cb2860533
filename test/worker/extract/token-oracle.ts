import { html as spec, Tokenizer, TokenizerMode } from 'parse5'
import type { Outlink } from '../../../src/worker/extract/page-parts.ts'

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
      onStartTag: ({ tagName, attrs }) => {
        tokenizer.state = MODES.get(tagName) ?? TokenizerMode.DATA
        if (tagName === spec.TAG_NAMES.TEMPLATE) templates++
        const attribute = LINKS[tagName]
        if (attribute === undefined || templates > 0) return
        const value = (name: string) => attrs.find((each) => each.name === name)?.value
        const href = value(attribute)
        const rel = value('rel')
        if (href === undefined) return
        const link = { href, tag: tagName as Outlink['tag'], attribute }
        outlinks.push(rel === undefined ? link : { ...link, rel })
      },
    },
  )
  tokenizer.write(page, true)
  return outlinks
}
