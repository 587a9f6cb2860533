import { SPACE, TAB } from '../../encoding/ascii.ts'

/** Returns the elements of a list in a header (RFC 9110, 5.6.1), in lower case. */
export function tokensOf(value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return []
  if (typeof value === 'string' && !value.includes(','))
    return value === '' ? [] : [value.toLowerCase()]
  const list = typeof value === 'string' ? value : value.join()
  return list
    .toLowerCase()
    .split(',')
    .map((token) => withoutSpace(token))
    .filter((token) => token !== '')
}

/** Returns whether a list in a header has an element, given in lower case. */
export function hasToken(value: string | readonly string[] | undefined, token: string): boolean {
  return value !== undefined && tokensOf(value).includes(token)
}

/**
 * Returns a part of a text, without the spaces and tabs at its ends. Only these are white space in HTTP: a server may
 * send bytes such as 0xA0, which `trim` removes.
 */
export function withoutSpace(text: string, from = 0, to = text.length): string {
  let start = from
  let end = to
  while (start < end && isSpace(text, start)) start++
  while (end > start && isSpace(text, end - 1)) end--
  return text.slice(start, end)
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === SPACE || code === TAB
}
