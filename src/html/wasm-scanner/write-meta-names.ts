import { MAX_META_NAMES, MAX_TEXT, TEXT_BYTES } from './layout/limits.ts'
import { region } from './layout/regions.ts'
import type { ScannerModule } from './module.ts'
import type { ScannerMemory } from './scanner-memory.ts'

const ALL = -1

/**
 * Passes the lower-case names of `<meta>` elements that matter to the module. If there are too many names or one is too
 * long, the module keeps all `<meta>` elements.
 */
export function writeMetaNames(
  module: ScannerModule,
  { bytes }: ScannerMemory,
  names: readonly string[],
): void {
  const { start } = region('metaNames')
  if (names.length > MAX_META_NAMES || names.some(({ length }) => length > MAX_TEXT)) {
    module.useMetaNames(ALL)
    return
  }
  for (const [index, name] of names.entries()) {
    const place = start + index * TEXT_BYTES
    bytes.fill(0, place, place + TEXT_BYTES)
    bytes[place] = name.length
    bytes.write(name, place + 1, 'latin1')
  }
  module.useMetaNames(names.length)
}
