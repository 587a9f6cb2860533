/** Returns the elements of a list in a header (RFC 9110, 5.6.1), in lower case. */
export function tokensOf(value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return []
  if (typeof value === 'string' && !value.includes(','))
    return value === '' ? [] : [value.toLowerCase()]
  const list = typeof value === 'string' ? value : value.join()
  return list
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '')
}
