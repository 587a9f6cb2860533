import {
  ALLOCATED_AT,
  HREFS_AT,
  HREFS_SIZE,
  MAX_PROBES,
  MAX_TARGETS,
  MAX_URL,
  MAX_URL_BYTES,
  PAGE_BYTES,
  SLOT_HASH,
  SLOT_TARGET,
  SLOT_WORDS,
  SLOTS_AT,
  SLOTS_SIZE,
  TARGET_BYTES,
  TARGET_DEPTH,
  TARGET_LENGTH,
  TARGET_WORDS,
  TARGETS_AT,
  URL_BYTES_AT,
  URL_SLOTS,
} from './generated/constants.ts'
import { areSame, hashOf } from './hash-bytes.ts'

/*
 * The URLs of links, each with a number, flags and other fields. A hash table maps a URL to its number. URLs can't be
 * removed one by one, only all at once.
 */

let targetCount: i32 = 0
/** Number of bytes of their texts. */
let urlBytesUsed: i32 = 0

export function forgetTargets(): void {
  targetCount = 0
  urlBytesUsed = 0
  memory.fill(SLOTS_AT, 0, SLOTS_SIZE)
}

/** Returns the number of a URL, which is added if it is new; -1 if there is no more room. */
export function targetOf(address: usize, length: i32): i32 {
  assert(length > 0 && length <= MAX_URL)
  const hash = hashOf(address, length, 0)
  const tag = <i32>(hash >>> 32)
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    const slot = (<i32>hash + probe) & (URL_SLOTS - 1)
    const target = slotField(slot, SLOT_TARGET) - 1
    if (target < 0) return added(slot, tag, address, length)
    if (slotField(slot, SLOT_HASH) === tag && isUrl(target, address, length)) return target
  }
  return -1
}

export function targetField(target: i32, field: i32): i32 {
  return load<i32>(placeOf(target, field))
}

export function setTargetField(target: i32, field: i32, value: i32): void {
  store<i32>(placeOf(target, field), value)
}

/** Returns the address of the text of a URL. */
export function urlOf(target: i32): usize {
  const at = targetField(target, TARGET_BYTES)
  assert(at >= 0 && at + targetField(target, TARGET_LENGTH) <= urlBytesUsed)
  return URL_BYTES_AT + at
}

/** Returns a byte of a URL. */
export function urlByte(target: i32, at: i32): i32 {
  assert(at >= 0 && at < targetField(target, TARGET_LENGTH))
  return load<u8>(urlOf(target) + at)
}

function isUrl(target: i32, address: usize, length: i32): bool {
  return targetField(target, TARGET_LENGTH) === length && areSame(urlOf(target), address, length)
}

function added(slot: i32, tag: i32, address: usize, length: i32): i32 {
  if (targetCount === MAX_TARGETS || urlBytesUsed + length > MAX_URL_BYTES) return -1
  if (targetCount === ALLOCATED_AT) allocatePages()
  const target = targetCount++
  memory.fill(placeOf(target, 0), 0, TARGET_WORDS << 2)
  setTargetField(target, TARGET_BYTES, urlBytesUsed)
  setTargetField(target, TARGET_LENGTH, length)
  setTargetField(target, TARGET_DEPTH, i32.MAX_VALUE)
  memory.copy(URL_BYTES_AT + urlBytesUsed, address, length)
  urlBytesUsed += length
  setSlotField(slot, SLOT_HASH, tag)
  setSlotField(slot, SLOT_TARGET, target + 1)
  return target
}

/**
 * Makes the system allocate the memory of the tables at once, which is faster than page by page; see
 * runtime/allocate-pages.ts.
 */
function allocatePages(): void {
  for (let at = 0; at < HREFS_SIZE; at += PAGE_BYTES) atomic.cmpxchg<i32>(HREFS_AT + at, 0, 0)
  for (let at = 0; at < SLOTS_SIZE; at += PAGE_BYTES) atomic.cmpxchg<i32>(SLOTS_AT + at, 0, 0)
}

function placeOf(target: i32, field: i32): usize {
  assert(target >= 0 && target < targetCount && field >= 0 && field < TARGET_WORDS)
  return TARGETS_AT + ((target * TARGET_WORDS + field) << 2)
}

function slotField(slot: i32, field: i32): i32 {
  return load<i32>(slotPlaceOf(slot, field))
}

function setSlotField(slot: i32, field: i32, value: i32): void {
  store<i32>(slotPlaceOf(slot, field), value)
}

function slotPlaceOf(slot: i32, field: i32): usize {
  assert(slot >= 0 && slot < URL_SLOTS)
  return SLOTS_AT + ((slot * SLOT_WORDS + field) << 2)
}
