/** Number of bytes that decide on the type: the standard's "resource header". */
const HEADER_BYTES = 1445

/** The start of scriptable types, which white space may precede. */
const HTML =
  /^[\t\n\f\r ]*<(?:!DOCTYPE HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT|TABLE|A|STYLE|TITLE|B|BODY|BR|P|!--)[ >]/i
const XML = /^[\t\n\f\r ]*<\?xml/

/** First bytes, one character per byte, and the type that they indicate. */
const SIGNATURES: readonly (readonly [string, type: string])[] = [
  ['%PDF-', 'application/pdf'],
  ['%!PS-Adobe-', 'application/postscript'],
  ['\0\0\x01\0', 'image/x-icon'],
  ['\0\0\x02\0', 'image/x-icon'],
  ['BM', 'image/bmp'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['\x1f\x8b\x08', 'application/x-gzip'],
  ['PK\x03\x04', 'application/zip'],
  ['Rar!\x1a\x07\0', 'application/x-rar-compressed'],
]
/** The byte order marks of UTF-8 and UTF-16. */
export const BOM = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/

/**
 * Returns the type of a body that was sent without one, by its first bytes: WHATWG MIME Sniffing standard,
 * "rules for identifying an unknown MIME type", including scriptable types. Audio and video are not distinguished from
 * other binary data, since the crawler reads neither.
 */
export function sniffType(body: Buffer): string {
  const header = body.toString('latin1', 0, HEADER_BYTES)
  if (HTML.test(header)) return 'text/html'
  if (XML.test(header)) return 'text/xml'
  const signed = SIGNATURES.find(([signature]) => header.startsWith(signature))
  if (signed !== undefined) return signed[1]
  if (header.length >= 4 && BOM.test(header)) return 'text/plain'
  if (header.startsWith('RIFF') && header.startsWith('WEBPVP', 8)) return 'image/webp'
  return isText(header) ? 'text/plain' : 'application/octet-stream'
}

/** Returns true if there is no "binary data byte": a control character that doesn't occur in text. */
function isText(header: string): boolean {
  for (let at = 0; at < header.length; at++) {
    const code = header.charCodeAt(at)
    if (code < 0x20 && !TEXT_CONTROLS.has(code)) return false
  }
  return true
}

/** Tab, line feed, form feed, carriage return and escape. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])
