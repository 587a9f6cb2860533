import { BODY_AT, MAX_BODY, PADDING } from './generated/constants.ts'

/** The index after the last byte of the page. */
export let end: i32 = 0

/** Starts reading the page in the body. The zeros after it stop each loop at the end of the page. */
export function openPage(length: i32): void {
  assert(length >= 0 && length <= MAX_BODY)
  end = length
  memory.fill(BODY_AT + length, 0, PADDING)
}

/** Returns the byte at an index of the page. */
export function byteAt(at: i32): i32 {
  assert(at >= 0 && at < end + PADDING)
  return load<u8>(BODY_AT + at)
}

/** Returns the 16 bytes that start at an index of the page. */
export function bytesAt(at: i32): v128 {
  assert(at >= 0 && at + 16 <= end + PADDING)
  return v128.load(BODY_AT + at)
}

/** Returns the address of a range of the page. */
export function addressOf(start: i32, length: i32): usize {
  assert(start >= 0 && length >= 0 && start + length <= end)
  return BODY_AT + start
}
