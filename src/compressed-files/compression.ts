import { extname } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib'

/** A way to compress. Compressed texts one after another are read as one text. */
export interface Compression {
  /** Compresses on a thread of the system. */
  compress(text: Buffer): Promise<Buffer>
  compressSync(text: string): Buffer
  /** A file without text. */
  readonly empty: Buffer
}

/** Damage shows, as in files that the command zstd makes. */
const ZSTD = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }
const compressZstd = promisify<Buffer, typeof ZSTD, Buffer>(zstdCompress)

/** Compressions by the extension of a file. */
const COMPRESSIONS: ReadonlyMap<string, Compression> = new Map([
  [
    '.gz',
    { compress: promisify<Buffer, Buffer>(gzip), compressSync: gzipSync, empty: gzipSync('') },
  ],
  [
    '.zst',
    {
      compress: (text) => compressZstd(text, ZSTD),
      compressSync: (text) => zstdCompressSync(text, ZSTD),
      empty: zstdCompressSync('', ZSTD),
    },
  ],
])

/** Extensions of compressed files, for messages. */
export const COMPRESSED_EXTENSIONS = [...COMPRESSIONS.keys()].join(' or ')

/** Returns the compression that the last extension of a name stands for, if any. */
export function compressionOf(name: string): Compression | undefined {
  return COMPRESSIONS.get(extname(name).toLowerCase())
}

/** Returns a name without the extension of its compression: `a.csv` for `a.csv.gz`. */
export function uncompressedName(name: string): string {
  return compressionOf(name) === undefined ? name : name.slice(0, -extname(name).length)
}
