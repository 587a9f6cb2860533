import fc from 'fast-check'

/** Parts of URLs, and characters that break them. A string of these is often nearly valid. */
const PIECES = [
  ...'%#?/\\.:;@[]&=+ \t\n\0\u001b\u007fae2F~-_|^\'"<>{}`',
  ...['%2e', '%2E', '%41', '%7e', '%2f', '%zz', '%%32', '%2', '..', './', '../', '//', '::1'],
  ...['http:', 'HTTPS://', 'http://', 'mailto:', 'javascript:', 'data:,', 'ftp://'],
  ...['user:pass@', 'example.com', 'h', ':80', ':443', ':8080', '0x7f.1', 'xn--', 'index.html'],
  ...['é', '中文', '\u{1f600}', '\ud800', '\udc00', '\u00ad', '\u3002', '\u2028', '\u202e'],
]

/** Hrefs that a hostile page may contain. */
export const arbitraryHref: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 12 })
  .map((pieces) => pieces.join(''))
