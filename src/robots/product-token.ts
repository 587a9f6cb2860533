const leadingToken = /^[A-Za-z_-]+/
const compatibleToken = /^Mozilla\/[^(]*\(compatible; *([A-Za-z_-]+)/i

/**
 * Returns the name by which robots.txt addresses a crawler: letters, `_` and `-` (RFC 9309, 2.2.1).
 * It is `orbweaver` for `orbweaver/1.0 (+https://...)`, and `ExampleBot` for the RFC's own
 * `Mozilla/5.0 (compatible; ExampleBot/0.1; ...)`. Empty when there is none: then only `*` groups
 * apply.
 */
export function productToken(userAgent: string): string {
  return compatibleToken.exec(userAgent)?.[1] ?? leadingToken.exec(userAgent)?.[0] ?? ''
}
