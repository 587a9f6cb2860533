import type { ImageStart } from '../records/visit-attachments.ts'

/** Bytes of a body that show whether it is an image. */
export const START_BYTES = 1_024

/** First bytes of images made of pixels, as a character per byte: PNG, GIF, JPEG, BMP, ICO, TIFF, JPEG XL and JPEG 2000. */
const SIGNATURES: readonly string[] = [
  ...['\x89PNG\r\n\x1a\n', 'GIF87a', 'GIF89a', '\xff\xd8\xff', 'BM', '\0\0\x01\0', '\0\0\x02\0'],
  ...['II*\0', 'MM\0*', '\xff\x0a', '\0\0\0\x0cJXL ', '\0\0\0\x0cjP  '],
]
/** Brands of files that hold AVIF or HEIF images, after the size of their first box. */
const HEIF = /^ftyp(?:avi[fs]|hei[cmsx]|hev[cx]|mi[af]f|mif1|msf1)/
/** The start of an XML document whose root is `<svg>` or not known yet. */
const SVG = /^\s*(?:<\?xml|<!--|<!DOCTYPE\s+svg|<(?:\w+:)?svg[\s/>])/i
const BOMS = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/

/** Returns which kind of image a body begins like. */
export function imageStartOf(body: Uint8Array): ImageStart {
  const { buffer, byteOffset, length } = body
  const start = Buffer.from(buffer, byteOffset, Math.min(length, START_BYTES)).toString('latin1')
  if (SIGNATURES.some((signature) => start.startsWith(signature))) return 'pixels'
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'pixels'
  if (HEIF.test(start.slice(4))) return 'pixels'
  // In UTF-16 every other byte of markup is 0.
  const markup = BOMS.test(start) ? start.replace(BOMS, '').replaceAll('\0', '') : start
  return SVG.test(markup) ? 'svg' : 'other'
}
