import { isUtf8 } from 'node:buffer'

/**
 * Decodes a header value that has one character per byte. Many servers send UTF-8 in headers, and
 * browsers decode it.
 */
export function headerText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : value
}
