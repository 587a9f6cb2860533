/** What terminals obey, line breaks of all kinds, and what turns the direction of text around. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
/** The same, but for line feeds and tabs. */
const CONTROLS_IN_LINES = /[[\p{Cc}\p{Bidi_Control}\u2028\u2029]--[\n\t]]/gv
/** The same, but for what JSON escapes by itself. */
const CONTROLS_IN_JSON = /[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu

/** Returns a text that does nothing to a terminal: each control character, line breaks too, is U+FFFD. */
export function replaceControls(text: string): string {
  return text.replace(CONTROLS, '\ufffd')
}

/** Returns lines of text that do nothing to a terminal; line feeds and tabs stay. */
export function replaceInLines(text: string): string {
  return text.replace(CONTROLS_IN_LINES, '\ufffd')
}

/** Returns JSON that means the same, and does nothing to a terminal. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS_IN_JSON, escaped)
}

/**
 * Returns a text that does nothing to a terminal or a page, its controls written as in JSON, cut to a number of
 * characters.
 * @param most characters, the ellipsis included; unlimited when left out
 */
export function shownText(text: string, most = Number.POSITIVE_INFINITY): string {
  const shown = text.replace(CONTROLS, escaped)
  return shown.length > most ? `${shown.slice(0, most - 1).toWellFormed()}…` : shown
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
