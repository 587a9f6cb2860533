import { createRequire } from 'node:module'

type Encoding = typeof import('@exodus/bytes/encoding.js')
type Whatwg = typeof import('@exodus/bytes/whatwg.js')
type Tables = Pick<Encoding, 'TextDecoder' | 'normalizeEncoding'> &
  Pick<Whatwg, 'percentEncodeAfterEncoding'>

let tables: Tables | undefined

/**
 * Returns encoders, which Node lacks, and decoders for the encodings in which Node deviates from the
 * WHATWG Encoding standard. Loads the tables on first use, since few crawls need them and loading
 * takes 24 ms.
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

/** The part of `TextDecoder` that is used. */
export interface TextDecoding {
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string
}

/** True if Node decodes windows-1252 correctly. Node 22 decodes it as Latin-1. */
const knowsWindows1252 = new TextDecoder('windows-1252').decode(Uint8Array.of(0x80)) === '€'
/**
 * Encodings in which Node's decoders (ICU) deviate from the standard. For example, EUC-KR lacks half
 * of its syllables, and Node 22 has no `x-user-defined`.
 */
const OWN_TABLES = new Set([
  ...['big5', 'euc-jp', 'euc-kr', 'iso-2022-jp', 'shift_jis', 'x-user-defined'],
  ...(knowsWindows1252 ? [] : ['windows-1252']),
])

/**
 * Returns a decoder that follows the standard and replaces malformed bytes.
 * @param encoding WHATWG name, lower case; not `replacement`
 */
export function decoderOf(
  encoding: string,
  options: { readonly ignoreBOM?: boolean } = {},
): TextDecoding {
  const Decoder = OWN_TABLES.has(encoding) ? encodingTables().TextDecoder : TextDecoder
  return new Decoder(encoding, options)
}
