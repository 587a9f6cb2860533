import { replaceControls } from '../printable-text.ts'

/** Characters that may be markup in Markdown, or end a cell of a table. */
const MARKUP = /[\\`*_{}[\]<>()#+!|~&$@:]/g

/** Escapes a text that a site chose, so that Markdown shows it literally and on one line. */
export function markdownText(text: string): string {
  return replaceControls(text).replace(MARKUP, '\\$&')
}

/** Returns an http or https URL in angle brackets, and any other text escaped: a redirect may lead anywhere. */
export function markdownLink(url: string): string {
  if (!/^https?:/.test(url)) return markdownText(url)
  return `<${replaceControls(url).replace(/[<>\\| ]/g, (found) => encodeURIComponent(found))}>`
}
