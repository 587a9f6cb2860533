/** A page as bytes, to look at, and as a byte string (a character per byte), to search and to cut. */
export interface Html {
  readonly bytes: Uint8Array
  readonly text: string
}

export function htmlOf(body: Buffer): Html {
  return { bytes: body, text: body.toString('latin1') }
}
