/** A page as bytes, and as a byte string (one character per byte), which is faster to search and to slice. */
export interface PageBytes {
  readonly bytes: Uint8Array
  readonly text: string
}

/**
 * Maximum length of a string that is created at once. Node allocates longer strings outside of V8's heap, where the
 * allocator keeps freed memory.
 */
const MAX_PIECE = 2 ** 19

export function pageBytesOf(body: Buffer): PageBytes {
  if (body.length <= MAX_PIECE) return { bytes: body, text: body.toString('latin1') }
  let text = ''
  for (let start = 0; start < body.length; start += MAX_PIECE) {
    text += body.toString('latin1', start, start + MAX_PIECE)
  }
  return { bytes: body, text }
}
