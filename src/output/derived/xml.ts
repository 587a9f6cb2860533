import { replaceControls } from '../../printable-text.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Characters that XML 1.0 has no way to write (section 2.2). */
const UNWRITABLE = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** What an XML document begins with. */
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** A text as it stands in XML, also in an attribute. Control characters become U+FFFD. */
export function xmlText(text: string): string {
  return replaceControls(text)
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}
