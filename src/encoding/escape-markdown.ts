import { replaceControls } from '../printable-text.ts'

/** Characters that may be markup in Markdown, or end a cell of a table. */
const MARKUP = /[\\`*_{}[\]<>()#+!|~&$@:]/g
/** Start of an entity of HTML, which Markdown decodes in the target of a link. */
const ENTITY = /&(?=#?[a-z0-9]+;)/gi

/** Escapes a text that a site chose, so that Markdown shows it literally and on one line. */
export function markdownText(text: string): string {
  return replaceControls(text).replace(MARKUP, '\\$&')
}

/** Returns an http or https URL as a link, and any other text escaped: a redirect may lead anywhere. */
export function markdownLink(url: string): string {
  if (!/^https?:/.test(url)) return markdownText(url)
  const target = markdownTarget(url)
  // Renderers differ in whether they decode entities in a URL that stands alone.
  return url.search(ENTITY) >= 0 ? `[${markdownText(url)}](${target})` : target
}

/** Returns an http or https URL in angle brackets, as the target of a link. */
export function markdownTarget(url: string): string {
  const harmless = replaceControls(url).replace(/[<>\\| ]/g, (found) => encodeURIComponent(found))
  return `<${harmless.replace(ENTITY, '&amp;')}>`
}
