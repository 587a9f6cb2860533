/**
 * Characters that control a terminal, line breaks of all kinds, and marks that reverse the
 * direction of text.
 */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
/** The same characters without line feeds and tabs. */
const CONTROLS_IN_LINES = /[[\p{Cc}\p{Bidi_Control}\u2028\u2029]--[\n\t]]/gv
/** The same characters without those that JSON always escapes. */
const CONTROLS_IN_JSON = /[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu

/**
 * Replaces control characters, including line breaks, with U+FFFD. The result is safe on a terminal.
 */
export function replaceControls(text: string): string {
  return text.replace(CONTROLS, '\ufffd')
}

/** Replaces each line break or tab with a space, and other control characters with U+FFFD. */
export function textOnOneLine(text: string): string {
  return replaceControls(text.replace(/\r\n|[\t\n\v\f\r\x85\u2028\u2029]/g, ' '))
}

/** Replaces control characters with U+FFFD, but keeps line feeds and tabs. */
export function replaceInLines(text: string): string {
  return text.replace(CONTROLS_IN_LINES, '\ufffd')
}

/** Escapes control characters in JSON, which keeps its meaning and is safe on a terminal. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS_IN_JSON, escaped)
}

/**
 * Writes control characters as JSON escapes and cuts the text to a number of characters.
 * @param maxLength maximum number of characters, including the ellipsis; unlimited by default
 */
export function printableText(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const shown = text.replace(CONTROLS, escaped)
  return shown.length > maxLength ? `${shown.slice(0, maxLength - 1).toWellFormed()}…` : shown
}

/** Returns a text, or its first `length` characters and an ellipsis. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
