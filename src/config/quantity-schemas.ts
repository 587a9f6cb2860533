import * as v from 'valibot'
import { MAX_TIMER_MS } from '../runtime/max-timer.ts'
import {
  BANDWIDTH_PATTERN,
  DURATION_PATTERN,
  parseBandwidth,
  parseDuration,
  parseRate,
  parseShare,
  parseSize,
  RATE_PATTERN,
  SHARE_PATTERN,
  SIZE_PATTERN,
} from './units.ts'

/** Schema of a whole number of at least `min`. A flag passes a number that is too large for JavaScript as text. */
export function count(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = `a whole number from ${min} to ${max}`
  const expected = max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : range
  return v.pipe(
    v.number(({ input }: { readonly input: unknown }) => (Number(input) > max ? range : expected)),
    v.integer(expected),
    v.minValue(min, expected),
    v.maxValue(max, range),
  )
}

/** Schema of a whole number, or of a word for one, such as `unlimited`. */
export function countOr<const Word extends string>(
  words: Readonly<Record<Word, number>>,
  min: number,
  max: number,
) {
  const number = count(min, max)
  const word = v.pipe(
    v.picklist(Object.keys(words).filter((name): name is Word => Object.hasOwn(words, name))),
    v.transform((name) => words[name]),
  )
  return v.union([number, word], number.message)
}

const DAY_MS = 86_400_000

/** Schema of a time with its unit, parsed to milliseconds. */
export function duration(minMs = 0, maxMs = MAX_TIMER_MS) {
  const expected = `a duration such as "500ms", "2s" or "1h"${minMs > 0 ? `, of at least ${minMs}ms` : ''}`
  return v.pipe(
    v.string(expected),
    v.regex(DURATION_PATTERN, expected),
    v.transform(parseDuration),
    v.minValue(minMs, expected),
    v.maxValue(maxMs, `a duration of at most ${Math.floor(maxMs / DAY_MS)} days`),
  )
}

/** A date, or a time with its zone, as in sitemaps (https://www.w3.org/TR/NOTE-datetime). */
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/
const PAST_TIME = new RegExp(`${DATE.source}|${DURATION_PATTERN.source}`)

/** Returns milliseconds since 1970; NaN for an impossible day, which `Date.parse` may take for one of the next month. */
function timeOf(date: string): number {
  const day = date.slice(0, 10)
  const parsed = Date.parse(day)
  const isPossible = !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(day)
  return isPossible ? Date.parse(date) : Number.NaN
}

/** Schema of a time in the past, as a date or as a duration until now, parsed to milliseconds since 1970. */
export function pastTime() {
  const expected = 'a date in the past such as "2026-11-30", or a duration such as "7d"'
  const parsed = (text: string) =>
    DATE.test(text) ? timeOf(text) : Date.now() - parseDuration(text)
  return v.pipe(
    v.string(expected),
    v.regex(PAST_TIME, expected),
    v.transform(parsed),
    v.check((time) => time >= 0 && time <= Date.now(), expected),
  )
}

/** Schema of a size with its unit, parsed to bytes. */
export function size(maxBytes: number, minBytes = 1) {
  const [examples, min] =
    minBytes === 1 ? ['"500kB" or "10MiB"', '1 byte'] : ['"500MB" or "1GiB"', sizeText(minBytes)]
  const expected = `a size such as ${examples}, from ${min} to ${sizeText(maxBytes)}`
  return v.pipe(
    v.string(expected),
    v.regex(SIZE_PATTERN, expected),
    v.transform(parseSize),
    v.minValue(minBytes, expected),
    v.maxValue(maxBytes, expected),
  )
}

function sizeText(bytes: number): string {
  return bytes > 2 ** 30 ? `${bytes / 2 ** 30}GiB` : `${bytes / 2 ** 20}MiB`
}

/** Schema of a number of requests per unit of time, parsed to requests per second. */
export function rate(maxPerSecond: number) {
  const expected = `a number of requests such as "5/s" or "30/m", up to ${maxPerSecond}/s`
  return v.pipe(
    v.union([v.string(), v.number()], expected),
    v.transform(String),
    v.regex(RATE_PATTERN, expected),
    v.transform(parseRate),
    v.gtValue(0, expected),
    v.maxValue(maxPerSecond, expected),
  )
}

/** Schema of a number of bytes per second. */
export function bandwidth(min: number) {
  const expected = `a number of bytes per second such as "500k" or "2MB/s", of at least ${min}`
  return v.pipe(
    v.string(expected),
    v.regex(BANDWIDTH_PATTERN, expected),
    v.transform(parseBandwidth),
    v.minValue(min, expected),
  )
}

/** Schema of a percentage, parsed to a number that is 1 for 100%. */
export function share(max: number) {
  const expected = `a percentage such as "50%", up to ${max * 100}%`
  return v.pipe(
    v.string(expected),
    v.regex(SHARE_PATTERN, expected),
    v.transform(parseShare),
    v.maxValue(max, expected),
  )
}
