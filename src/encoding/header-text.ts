import { isUtf8 } from 'node:buffer'

/**
 * Decodes a header value. Headers arrive with one character per byte; many servers send UTF-8, and
 * browsers read it as such.
 */
export function headerText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : value
}
