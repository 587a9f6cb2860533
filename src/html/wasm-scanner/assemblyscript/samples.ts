import { isSpace } from './find.ts'
import {
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
 * Samples the content of the page: texts other than the labels of links, and tags of images and other media. If there
 * are too many, only every second one is kept, then every fourth and so on, always including the first.
 */

let isWanted: bool = false
/** Number of samples of the page. */
export let sampleCount: i32 = 0
let stride: i32 = 1
let passed: i32 = 0

export function openSamples(areWanted: bool): void {
  isWanted = areWanted
  sampleCount = 0
  stride = 1
  passed = 0
}

/** Adds the text between two tags. @param end index of the `<` */
export function sampleText(start: i32, end: i32): void {
  if (isWanted && !isBlank((start + end) >> 1) && !isLabel(end)) keep(start, end, 0)
}

/** Adds the title, even if it is short. */
export function sampleTitle(start: i32, end: i32): void {
  if (isWanted) keep(start, end, 0)
}

/** Adds a tag of media from the end of its name, with all its attributes: any of them may contain the URL. */
export function sampleMedia(start: i32, end: i32): void {
  if (isWanted) keep(start, end, 1)
}

/** Returns whether a text is probably indentation: there are two white space characters in its middle. */
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
  if (sampleCount === MAX_SAMPLES) thin()
  setField(sampleCount, SAMPLE_START, start)
  setField(sampleCount, SAMPLE_END, min(end, start + MAX_SAMPLE_BYTES))
  setField(sampleCount, SAMPLE_IS_MEDIA, isMedia)
  sampleCount++
}

function thin(): void {
  for (let kept = 0; 2 * kept < sampleCount; kept++) {
    memory.copy(placeOf(kept, 0), placeOf(2 * kept, 0), SAMPLE_WORDS << 2)
  }
  sampleCount /= 2
  stride *= 2
}

/** @param field one of `SAMPLE` */
export function sampleField(sample: i32, field: i32): i32 {
  return load<i32>(placeOf(sample, field))
}

function setField(sample: i32, field: i32, value: i32): void {
  store<i32>(placeOf(sample, field), value)
}

function placeOf(sample: i32, field: i32): usize {
  assert(sample >= 0 && sample < MAX_SAMPLES)
  return SAMPLES_AT + ((sample * SAMPLE_WORDS + field) << 2)
}
