import { publish } from './control.ts'
import { isSpace } from './find.ts'
import {
  CONTROL_SAMPLE_COUNT,
  GREATER,
  LESS,
  MAX_SAMPLE_BYTES,
  MAX_SAMPLES,
  SAMPLE_END,
  SAMPLE_IS_MEDIA,
  SAMPLE_START,
  SAMPLE_WORDS,
  SAMPLES_AT,
  SLASH,
} from './generated/constants.ts'
import { byteAt } from './page-bytes.ts'

/*
 * Samples what the page shows: texts other than the labels of links, and tags that show something.
 * Where there is more than is kept, it is every second one, every fourth and so on, the first included.
 */

let isWanted: bool = false
let count: i32 = 0
let stride: i32 = 1
let passed: i32 = 0

export function openSamples(areWanted: bool): void {
  isWanted = areWanted
  count = 0
  stride = 1
  passed = 0
}

export function closeSamples(): void {
  publish(CONTROL_SAMPLE_COUNT, count)
}

/** The text between two tags; `end` is the index of the `<`. */
export function sampleText(start: i32, end: i32): void {
  if (isWanted && !isBlank((start + end) >> 1) && !isLabel(end)) keep(start, end, 0)
}

/** The title, however short. */
export function sampleTitle(start: i32, end: i32): void {
  if (isWanted) keep(start, end, 0)
}

/** A tag that shows something, from the end of its name: whatever attribute it is that says what. */
export function sampleMedia(start: i32, end: i32): void {
  if (isWanted) keep(start, end, 1)
}

/** White space in the middle is indentation, unless it stands between two words. */
function isBlank(middle: i32): bool {
  return isSpace(byteAt(middle)) && isSpace(byteAt(middle + 1))
}

function isLabel(end: i32): bool {
  if (byteAt(end) !== LESS || byteAt(end + 1) !== SLASH) return false
  const after = byteAt(end + 3)
  return (byteAt(end + 2) | 0x20) === 0x61 && (after === GREATER || isSpace(after))
}

function keep(start: i32, end: i32, isMedia: i32): void {
  if ((passed++ & (stride - 1)) !== 0) return
  if (count === MAX_SAMPLES) thin()
  setField(count, SAMPLE_START, start)
  setField(count, SAMPLE_END, min(end, start + MAX_SAMPLE_BYTES))
  setField(count, SAMPLE_IS_MEDIA, isMedia)
  count++
}

function thin(): void {
  for (let kept = 0; 2 * kept < count; kept++) {
    memory.copy(placeOf(kept, 0), placeOf(2 * kept, 0), SAMPLE_WORDS << 2)
  }
  count /= 2
  stride *= 2
}

function setField(sample: i32, field: i32, value: i32): void {
  store<i32>(placeOf(sample, field), value)
}

function placeOf(sample: i32, field: i32): usize {
  assert(sample >= 0 && sample < MAX_SAMPLES)
  return SAMPLES_AT + ((sample * SAMPLE_WORDS + field) << 2)
}
