import { extname } from 'node:path'
import { promisify } from 'node:util'
import {
  constants,
  gzip,
  gzipSync,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'

/** A compression format. Concatenated compressed texts decompress to the concatenated texts. */
export interface Compression {
  /** Compresses on a thread of Node's pool. */
  compress(text: Buffer): Promise<Buffer>
  compressSync(text: string): Buffer
  /** The content of a compressed file without text. */
  readonly empty: Buffer
}

// Node's compression takes milliseconds to load, so nothing of it is used before a file is compressed.

const gzipFiles: Compression = {
  compress: (text) => promisify<Buffer, Buffer>(gzip)(text),
  compressSync: (text) => gzipSync(text),
  get empty() {
    return gzipSync('')
  },
}

const zstdFiles: Compression = {
  compress: (text) => promisify<Buffer, ZstdOptions, Buffer>(zstdCompress)(text, withChecksum()),
  compressSync: (text) => zstdCompressSync(text, withChecksum()),
  get empty() {
    return zstdCompressSync('', withChecksum())
  },
}

/** Returns options that add checksums, as the command zstd does, so that readers detect damage. */
function withChecksum(): ZstdOptions {
  return { params: { [constants.ZSTD_c_checksumFlag]: 1 } }
}

/** Compressions by file extension. */
const COMPRESSIONS: ReadonlyMap<string, Compression> = new Map([
  ['.gz', gzipFiles],
  ['.zst', zstdFiles],
])

/** Extensions of compressed files, for messages. */
export const COMPRESSED_EXTENSIONS = [...COMPRESSIONS.keys()].join(' or ')

/** Returns the compression for the last extension of a name, if any. */
export function compressionOf(name: string): Compression | undefined {
  return COMPRESSIONS.get(extname(name).toLowerCase())
}

/** Returns a name without the extension of a compression: `a.csv` for `a.csv.gz`. */
export function uncompressedName(name: string): string {
  return compressionOf(name) === undefined ? name : name.slice(0, -extname(name).length)
}
