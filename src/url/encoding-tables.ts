import { createRequire } from 'node:module'

type Encoding = typeof import('@exodus/bytes/encoding.js')
type Whatwg = typeof import('@exodus/bytes/whatwg.js')
type Tables = Pick<Encoding, 'TextDecoder' | 'normalizeEncoding'> &
  Pick<Whatwg, 'percentEncodeAfterEncoding'>

let tables: Tables | undefined

/**
 * Encoders, which Node lacks, and the decoders in which Node departs from the WHATWG Encoding
 * standard. Loaded on the first need: few crawls have one, and the tables take 24 ms.
 */
export function encodingTables(): Tables {
  tables ??= load()
  return tables
}

function load(): Tables {
  const require = createRequire(import.meta.url)
  const { TextDecoder, normalizeEncoding }: Encoding = require('@exodus/bytes/encoding.js')
  const { percentEncodeAfterEncoding }: Whatwg = require('@exodus/bytes/whatwg.js')
  return { TextDecoder, normalizeEncoding, percentEncodeAfterEncoding }
}
