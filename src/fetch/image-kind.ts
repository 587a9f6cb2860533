import type { ImageKind } from '../records/visit-attachments.ts'
import { BOM } from './sniff.ts'

/** Number of first bytes of a body from which images are recognized. */
export const START_BYTES = 1_024

/** First bytes of bitmap images, one character per byte: PNG, GIF, JPEG, BMP, ICO, TIFF, JPEG XL and JPEG 2000. */
const SIGNATURES: readonly string[] = [
  ...['\x89PNG\r\n\x1a\n', 'GIF87a', 'GIF89a', '\xff\xd8\xff', 'BM', '\0\0\x01\0', '\0\0\x02\0'],
  ...['II*\0', 'MM\0*', '\xff\x0a', '\0\0\0\x0cJXL ', '\0\0\0\x0cjP  '],
]
/** The start of AVIF and HEIF images after the 4 bytes with the size of their first box: `ftyp` and the brand. */
const HEIF = /^ftyp(?:avi[fs]|hei[cmsx]|hev[cx]|mi[af]f|mif1|msf1)/
/** The start of a document whose root is `<svg>`, or of XML whose root comes later. */
const SVG = /^\s*(?:<\?xml|<!--|<!DOCTYPE\s+svg|<(?:\w+:)?svg[\s/>])/i

/** Returns the kind of image that a body seems to be, by its first bytes. */
export function imageKindOf(body: Buffer): ImageKind {
  const start = body.toString('latin1', 0, START_BYTES)
  if (SIGNATURES.some((signature) => start.startsWith(signature))) return 'pixels'
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'pixels'
  if (HEIF.test(start.slice(4))) return 'pixels'
  // In UTF-16 every other byte of markup is 0.
  const markup = BOM.test(start) ? start.replace(BOM, '').replaceAll('\0', '') : start
  return SVG.test(markup) ? 'svg' : 'other'
}
