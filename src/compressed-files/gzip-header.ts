/** Bytes of the trailer of a gzip member, and of the shortest member (RFC 1952, 2.3). */
export const GZIP_TRAILER = 8
const SHORTEST_MEMBER = 20

const HAS = { headerChecksum: 2, extra: 4, name: 8, comment: 16 } as const

/**
 * Returns the content of a gzip file from the deflate stream of its first member on (RFC 1952, 2.3).
 * @param coded begins with a complete member
 */
export function deflateStreamOf(coded: Buffer): Buffer {
  const flags = coded[3] ?? 0
  let start = 10
  if (flags & HAS.extra) start += 2 + coded.readUInt16LE(start)
  if (flags & HAS.name) start = coded.indexOf(0, start) + 1
  if (flags & HAS.comment) start = coded.indexOf(0, start) + 1
  if (flags & HAS.headerChecksum) start += 2
  return coded.subarray(start)
}

/** Returns whether bytes begin like a gzip file, and are enough for one member. */
export function mayBeGzipMember(coded: Buffer): boolean {
  return isGzip(coded) && coded.length >= SHORTEST_MEMBER
}

/** Returns whether a file begins like a gzip file. */
export function isGzip(coded: Buffer): boolean {
  return coded[0] === 0x1f && coded[1] === 0x8b && coded[2] === 8
}
