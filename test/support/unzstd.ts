import { zstdDecompressSync } from 'node:zlib'
import { splitZstdFrames } from '../../src/fetch/http/body/split-zstd-frames.ts'

/** Decompresses all frames of a zstd file. Node 22 and 24 would stop after the first one. */
export function unzstd(coded: Buffer): Buffer {
  return Buffer.concat(splitZstdFrames(coded).map((frame) => zstdDecompressSync(frame)))
}
