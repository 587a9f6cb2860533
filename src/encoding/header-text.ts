import { isUtf8 } from 'node:buffer'

/**
 * A header as the server meant it. Headers arrive as a character per byte; many servers send UTF-8,
 * as browsers expect them to.
 */
export function headerText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : value
}
