/** Bytes that have a meaning in HTML and HTTP. */
export const TAB = 0x09
export const LINE_FEED = 0x0a
export const FORM_FEED = 0x0c
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const EXCLAMATION = 0x21
export const DOUBLE_QUOTE = 0x22
export const SINGLE_QUOTE = 0x27
export const DASH = 0x2d
export const SLASH = 0x2f
export const LESS = 0x3c
export const EQUALS = 0x3d
export const GREATER = 0x3e
export const QUESTION = 0x3f

/** Returns whether a byte is ASCII whitespace (Infra standard). */
export function isSpace(byte: number): boolean {
  return (
    byte === SPACE ||
    byte === LINE_FEED ||
    byte === TAB ||
    byte === CARRIAGE_RETURN ||
    byte === FORM_FEED
  )
}

export function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
