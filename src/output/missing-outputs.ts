import { statSync } from 'node:fs'
import type { Positions } from '../state/ledger.ts'
import { lostBytesError } from './committed-part.ts'

/**
 * Returns the outputs of an earlier run that are missing and had no committed bytes, so that they can be created again.
 * @throws CrawlerError('state') for a file that has lost committed bytes, since it is missing or was truncated
 */
export function missingOutputs(positions: Positions): string[] {
  return Object.entries(positions).flatMap(([name, position]) => {
    const size = sizeOf(name)
    if (size !== undefined && size >= position) return []
    if (position > 0) throw lostBytesError(name, position, size ?? 'none')
    return [name]
  })
}

function sizeOf(name: string): number | undefined {
  try {
    return statSync(name).size
  } catch {
    return undefined
  }
}
