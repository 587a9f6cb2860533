import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { DamageError } from '../errors.ts'

/** A list of canonical URLs, which hold no line feeds, in a tenth of its size. */
export function packLinks(urls: readonly string[]): Uint8Array {
  return deflateRawSync(urls.join('\n'), { level: 1 })
}

/** More than the links of any page, in bytes. */
const MAX_BYTES = 64 * 2 ** 20

/**
 * Returns the list that `packLinks` was given.
 * @throws DamageError
 */
export function unpackLinks(packed: Uint8Array, place: string): string[] {
  try {
    const text = inflateRawSync(packed, { maxOutputLength: MAX_BYTES }).toString('latin1')
    return text === '' ? [] : text.split('\n')
  } catch {
    throw new DamageError(`${place}: expected packed links, got ${packed.length} other bytes`)
  }
}
