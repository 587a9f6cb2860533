import { type DefaultTreeAdapterMap, defaultTreeAdapter, Parser, type Token } from 'parse5'
import type { Outlink } from '../../../src/html/reference-scanner/outlinks.ts'
import { refreshUrl } from '../../../src/url/refresh.ts'
import { linkOf } from './token-oracle.ts'

/**
 * Returns the links of a page by parse5's parser, in the order of their tags. Its tree identifies SVG, MathML and
 * templates. Other effects of the tree construction on a tag are ignored.
 */
export function treeOracle(page: string): Outlink[] {
  const recorder = new LinkRecorder({ scriptingEnabled: false })
  recorder.tokenizer.write(page, true)
  return recorder.links
}

class LinkRecorder extends Parser<DefaultTreeAdapterMap> {
  readonly links: Outlink[] = []
  #hasRefresh = false

  override onStartTag(token: Token.TagToken): void {
    const link = this.#isInert() ? undefined : this.#linkOf(token)
    if (link !== undefined) this.links.push(link)
    super.onStartTag(token)
  }

  #linkOf(token: Token.TagToken): Outlink | undefined {
    if (this.shouldProcessStartTagTokenInForeignContent(token)) return foreignLinkOf(token)
    return token.tagName === 'meta' ? this.#refreshOf(token) : linkOf(token)
  }

  #refreshOf({ attrs }: Token.TagToken): Outlink | undefined {
    const value = (name: string) => attrs.find((each) => each.name === name)?.value
    const content = value('content')
    const isRefresh = value('http-equiv')?.toLowerCase() === 'refresh' && content !== undefined
    const href = isRefresh && !this.#hasRefresh ? refreshUrl(content) : undefined
    if (href === undefined) return undefined
    this.#hasRefresh = true
    return href === '' ? undefined : { href, tag: 'meta', attribute: 'content' }
  }

  /** Returns true within a template that is not a declarative shadow root. */
  #isInert(): boolean {
    const open = this.openElements.items.slice(0, this.openElements.stackTop + 1)
    return open.some((item) => {
      if (!defaultTreeAdapter.isElementNode(item) || item.tagName !== 'template') return false
      const mode = item.attrs.find(({ name }) => name === 'shadowrootmode')?.value ?? ''
      return !/^(?:open|closed)$/i.test(mode)
    })
  }
}

/**
 * Returns the link of an `<a>` of SVG or MathML, whose `href` precedes the older `xlink:href`; undefined for other
 * tags.
 */
function foreignLinkOf({ tagName, attrs }: Token.TagToken): Outlink | undefined {
  if (tagName !== 'a') return undefined
  const value = (name: string) => attrs.find((each) => each.name === name)?.value
  const attribute = value('href') === undefined ? 'xlink:href' : 'href'
  const href = value(attribute)
  const rel = value('rel')
  if (href === undefined) return undefined
  return { href, tag: 'a', attribute, ...(rel !== undefined && { rel }) }
}
