/** A page as bytes, to look at, and as a byte string (a character per byte), to search and to cut. */
export interface Html {
  readonly bytes: Uint8Array
  readonly text: string
}

/** Node allocates longer strings outside of V8's heap, where memory that is freed is kept. */
const PIECE = 2 ** 19

export function htmlOf(body: Buffer): Html {
  if (body.length <= PIECE) return { bytes: body, text: body.toString('latin1') }
  let text = ''
  for (let start = 0; start < body.length; start += PIECE) {
    text += body.toString('latin1', start, start + PIECE)
  }
  return { bytes: body, text }
}
