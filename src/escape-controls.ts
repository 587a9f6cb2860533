/** DEL and the C1 controls: JSON allows them as they are, and terminals obey them. */
const CONTROLS = /[\x7f-\x9f]/g

/** A text that does nothing to a terminal: each control character, line breaks as well, is U+FFFD. */
export function replaceControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd')
}

/** A text of JSON that does nothing to a terminal: what JSON leaves is escaped, too. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)
}
