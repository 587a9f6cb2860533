/** Maximum number of frames, including skippable ones, since each needs a decoder. The last one includes the rest. */
const MAX_FRAMES = 1_000

const MAGIC = 0xfd2fb528
const MAGIC_BYTES = 4
/** The first of the 16 magic numbers of skippable frames. */
const SKIPPABLE = 0x184d2a50
const RLE = 1

/** Lengths of fields by their flags in the descriptor of a frame (RFC 8878, 3.1.1.1). */
const DICTIONARY_ID = [0, 1, 2, 4]
const CONTENT_SIZE = [0, 2, 4, 8]

/**
 * Returns the frames with content of a zstd stream (RFC 8878, 3.1), in order. Node's decoder stops after the first
 * frame.
 * @param isPart true if the last frame may be incomplete
 * @throws the error of zlib if the last frame ends early, which the decoder of Node 22 doesn't report
 */
export function splitZstdFrames(coded: Buffer, isPart = false): readonly Buffer[] {
  const frames: Buffer[] = []
  let rest = coded
  let length = frameLength(rest)
  for (let count = 1; length < rest.length && count < MAX_FRAMES; count++) {
    if (!isSkippable(rest)) frames.push(rest.subarray(0, length))
    rest = rest.subarray(length)
    length = frameLength(rest)
  }
  const mayBeFrame = isFrame(rest) || coded.length < MAGIC_BYTES
  if (!isPart && mayBeFrame && length > rest.length) throw endOfData()
  // Bytes after a frame that aren't a frame are ignored.
  if (frames.length === 0 || isFrame(rest)) frames.push(rest)
  return frames
}

function endOfData(): Error {
  return Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' })
}

function isFrame(bytes: Buffer): boolean {
  return bytes.length >= MAGIC_BYTES && bytes.readUInt32LE() === MAGIC
}

function isSkippable(bytes: Buffer): boolean {
  return bytes.length >= 8 && (bytes.readUInt32LE() & ~0xf) >>> 0 === SKIPPABLE
}

/** Returns the length of the first frame in bytes, even if its last bytes are missing; infinite if it is unknown. */
function frameLength(bytes: Buffer): number {
  if (isSkippable(bytes)) return 8 + bytes.readUInt32LE(4)
  if (!isFrame(bytes)) return Infinity
  const descriptor = bytes[4] ?? 0
  const isSingle = (descriptor & 0x20) !== 0
  const dictionaryId = DICTIONARY_ID[descriptor & 3] ?? 0
  const contentSize = CONTENT_SIZE[descriptor >> 6] || (isSingle ? 1 : 0)
  let at = 5 + (isSingle ? 0 : 1) + dictionaryId + contentSize
  for (let isLast = false; !isLast; ) {
    if (at + 3 > bytes.length) return Infinity
    const header = bytes.readUIntLE(at, 3)
    isLast = (header & 1) === 1
    at += 3 + (((header >> 1) & 3) === RLE ? 1 : header >> 3)
  }
  return at + ((descriptor & 4) === 0 ? 0 : 4)
}
