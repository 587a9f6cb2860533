import { replaceControls } from '../printable-text.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Characters that XML 1.0 can't represent (section 2.2). */
const UNWRITABLE = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Escapes a text for XML, also in attributes. Control characters become U+FFFD. */
export function xmlText(text: string): string {
  return replaceControls(text)
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}
