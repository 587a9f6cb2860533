import { BODY_AT, MAX_BODY, PADDING } from './generated/constants.ts'

/** The index after the last byte of the page. */
export let end: i32 = 0

/** Begins with the page that lies in the body. Zeros behind it end whatever the page leaves open. */
export function openPage(length: i32): void {
  assert(length >= 0 && length <= MAX_BODY)
  end = length
  memory.fill(BODY_AT + length, 0, PADDING)
}

/** The byte at an index of the page. */
export function byteAt(at: i32): i32 {
  assert(at >= 0 && at < end + PADDING)
  return load<u8>(BODY_AT + at)
}

/** The 16 bytes from an index on. */
export function bytesAt(at: i32): v128 {
  assert(at >= 0 && at + 16 <= end + PADDING)
  return v128.load(BODY_AT + at)
}

/** The address of a stretch of the page. */
export function addressOf(start: i32, length: i32): usize {
  assert(start >= 0 && length >= 0 && start + length <= end)
  return BODY_AT + start
}
