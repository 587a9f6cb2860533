import { lazyImagesIn } from '../html/style-sheet/lazy-images.ts'
import { findRefreshUrl } from '../url/refresh.ts'
import { findSrcsetUrls } from '../url/srcset.ts'
import type { UrlWithOffset } from '../url/url-with-offset.ts'
import { cssLinkEdits } from './css-edits.ts'
import { applyEdits, type LinkRewriter, type TextEdit } from './text-edits.ts'

/** An attribute of a start tag, with its position in the page. */
export interface Attribute {
  /** Lower case. */
  readonly name: string
  readonly start: number
  /** Value with its character references resolved. */
  readonly value: string
  /** Range of the value, without its quotes. */
  readonly valueStart: number
  readonly valueEnd: number
  readonly isQuoted: boolean
}

const URL_ATTRIBUTES: ReadonlySet<string> = new Set(
  'action background cite formaction href longdesc poster src xlink:href'.split(' '),
)
/** Tags whose `href` of a fragment leads into the `<base>`. That of others, such as `<use>`, leads into the page itself. */
const FRAGMENTS_OF_BASE: ReadonlySet<string> = new Set(['a', 'area'])
/** Attributes that would block a file because it was changed, or because no server sent it. */
const GUARD_ATTRIBUTES: ReadonlySet<string> = new Set(['integrity', 'crossorigin'])
/** Maximum number of URLs in a srcset. */
const MAX_CANDIDATES = 1_000
/** Maximum characters of a value. Longer ones are no useful references. */
const MAX_VALUE_LENGTH = 65_536

/** Returns the edits of a start tag for a page that becomes a file. */
export function tagEdits(
  tag: string,
  attributes: readonly Attribute[],
  relink: LinkRewriter,
): TextEdit[] {
  const change = tag === 'meta' ? rewriterOfMeta(attributes, relink) : rewriterOfTag(tag, relink)
  const edits = attributes.flatMap((attribute) => {
    if (attribute.value === '' || attribute.value.length > MAX_VALUE_LENGTH) return []
    const value = change(attribute)
    return value === undefined ? [] : [valueEdit(attribute, value)]
  })
  if (edits.length === 0) return edits
  const guards = attributes.filter(({ name }) => GUARD_ATTRIBUTES.has(name))
  return [...edits, ...guards.map(({ start }) => ({ start, end: start, text: 'data-' }))]
}

type AttributeRewrite = (attribute: Attribute) => string | undefined

function rewriterOfTag(tag: string, relink: LinkRewriter): AttributeRewrite {
  return ({ name, value }) => {
    // Some web applications don't start without a base. An empty one leads to the page itself.
    if (tag === 'base') return name === 'href' ? '' : undefined
    if (name.endsWith('href') && value.startsWith('#') && !FRAGMENTS_OF_BASE.has(tag))
      return undefined
    if (URL_ATTRIBUTES.has(name) || (name === 'data' && tag === 'object')) return relink(value)
    const lazy = lazyImagesIn(tag, name, value)
    if (lazy === 'url') return relink(value)
    if (name === 'srcset' || name === 'imagesrcset' || lazy === 'srcset')
      return ifChanged(value, rewriteSrcset(value, relink))
    return name === 'style' || lazy === 'css'
      ? ifChanged(value, applyEdits(value, cssLinkEdits(value, relink)))
      : undefined
  }
}

/**
 * Returns the rewriter for a `<meta>`. It changes the target of a refresh, and empties a security
 * policy, which was made for a server.
 */
function rewriterOfMeta(attributes: readonly Attribute[], relink: LinkRewriter): AttributeRewrite {
  const kind = attributes.find(({ name }) => name === 'http-equiv')?.value.toLowerCase()
  return ({ name, value }) => {
    if (name !== 'content') return undefined
    if (kind === 'content-security-policy') return ''
    return kind === 'refresh' ? ifChanged(value, rewriteRefresh(value, relink)) : undefined
  }
}

function rewriteRefresh(value: string, relink: LinkRewriter): string {
  const place = findRefreshUrl(value)
  return place === undefined || place.url === '' ? value : rewriteUrls(value, [place], relink)
}

function rewriteSrcset(value: string, relink: LinkRewriter): string {
  return rewriteUrls(value, findSrcsetUrls(value, MAX_CANDIDATES), relink)
}

/** @param places of the URLs in the value */
function rewriteUrls(
  value: string,
  places: readonly UrlWithOffset[],
  relink: LinkRewriter,
): string {
  const edits = places.flatMap(({ url, start }) => {
    const text = relink(url)
    return text === undefined ? [] : [{ start, end: start + url.length, text }]
  })
  return applyEdits(value, edits)
}

function ifChanged(before: string, after: string): string | undefined {
  return before === after ? undefined : after
}

/** Returns the edit that gives an attribute another value. */
export function valueEdit({ valueStart, valueEnd, isQuoted }: Attribute, value: string): TextEdit {
  const text = escaped(value)
  return { start: valueStart, end: valueEnd, text: isQuoted ? text : `"${text}"` }
}

/** Escapes a value for quotes of either kind and any encoding. */
function escaped(value: string): string {
  return value.replace(/[&"'<>]|[^\0-\x7f]/gu, (c) => `&#x${(c.codePointAt(0) ?? 0).toString(16)};`)
}
