import { withoutFragment } from './fragment.ts'

/**
 * Returns the lossless canonical form of an http(s) URL, which merges only URLs that are equivalent by RFC 3986 section
 * 6.2.2. The WHATWG parser has already normalized case, default port, dot segments and empty path. This function drops
 * fragment and userinfo, decodes escaped unreserved characters, and converts the hex digits of other escapes to upper
 * case. A `%` that isn't part of an escape stays. The result is ASCII.
 */
export function canonicalize(url: URL): string {
  const bare = withoutUserinfo(withoutFragment(url.href), url)
  return bare.includes('%') ? normalizeEscapes(bare) : bare
}

function withoutUserinfo(href: string, url: URL): string {
  if (!href.includes('@') || (url.username === '' && url.password === '')) return href
  const start = href.indexOf('//') + 2
  return href.slice(0, start) + href.slice(href.indexOf('@', start) + 1)
}

/** Matches escapes of unreserved characters (RFC 3986 section 2.3), and escapes with lower-case digits. */
const NOT_NORMAL =
  /%(?:2[DEde]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee]|[0-9A-F][a-f]|[a-f][0-9A-Fa-f])/g

function normalizeEscapes(href: string): string {
  return href.replace(NOT_NORMAL, (coded, at: number) => {
    const char = String.fromCharCode(Number.parseInt(coded.slice(1), 16))
    return isUnreserved(char) && !completesEscape(href, at, char) ? char : coded.toUpperCase()
  })
}

function isUnreserved(char: string): boolean {
  return /[A-Za-z0-9._~-]/.test(char)
}

/**
 * Returns whether decoding would create an escape: decoding the `%32` of `%%32e` would result in `%2e`, which is a
 * different URL.
 */
function completesEscape(href: string, at: number, char: string): boolean {
  return isHexDigit(char) && /%[0-9A-Fa-f]?$/.test(href.slice(at - 2, at))
}

function isHexDigit(char: string): boolean {
  return /[0-9A-Fa-f]/.test(char)
}
