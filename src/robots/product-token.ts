const LEADING_TOKEN = /^[A-Za-z_-]+/
const COMPATIBLE_TOKEN = /^Mozilla\/[^(]*\(compatible; *([A-Za-z_-]+)/i

/**
 * Returns the name by which robots.txt addresses a crawler: letters, `_` and `-` (RFC 9309, 2.2.1).
 * It is `orbweaver` for `orbweaver/1.0 (+https://...)`, and `ExampleBot` for the RFC's own
 * `Mozilla/5.0 (compatible; ExampleBot/0.1; ...)`. Empty if there is no name. Only `*` groups apply
 * then.
 */
export function productToken(userAgent: string): string {
  return COMPATIBLE_TOKEN.exec(userAgent)?.[1] ?? LEADING_TOKEN.exec(userAgent)?.[0] ?? ''
}
