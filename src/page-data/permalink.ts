/** Matches the text of a link that a heading has to itself, or a footnote back to its reference: empty, `¶`, `#`, `§`, `↩`, or an emoji. */
const PERMALINK_TEXT = /^(?:[\s#¶§↩🔗⚓\u200b]|\ufe0e|\ufe0f)*$/u

/** Returns whether a link only leads to the place where it is. */
export function isPermalink(href: string, text: string): boolean {
  return href.startsWith('#') && PERMALINK_TEXT.test(text)
}
