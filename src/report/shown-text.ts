/** Controls, and what turns the direction of text around: terminals obey both. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * A text of a server that does nothing to a terminal or a page, cut to a number of characters.
 * @param most characters, the ellipsis included; unlimited when left out
 */
export function shownText(text: string, most = Number.POSITIVE_INFINITY): string {
  const shown = text.replace(CONTROLS, escaped)
  return shown.length > most ? `${shown.slice(0, most - 1).toWellFormed()}…` : shown
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
