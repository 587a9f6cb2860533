import { formatCount } from '../../english-text.ts'

/* Numbers and times for people, in English. */

const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB']

export function formatBytes(bytes: number): string {
  // Rounded first: 999,999 bytes are 1 MB, not 1000 kB.
  let value = Number(bytes.toPrecision(3))
  if (value < 1_000) return `${Math.round(value)} B`
  let unit = 0
  for (value /= 1_000; value >= 1_000 && unit < UNITS.length - 1; unit += 1) value /= 1_000
  return `${threeDigits(value)} ${UNITS[unit]}`
}

/** Formats milliseconds as 7 ms, 1.20 s, 3 min 7 s or 2 h 15 min. */
export function formatDuration(ms: number): string {
  // Rounded first: 59.97 s are 1 min 0 s, not 60.0 s.
  const value = Number(ms.toPrecision(3))
  if (value < 1_000) return `${threeDigits(value)} ms`
  if (value < 60_000) return `${threeDigits(value / 1_000)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(ms / 60_000)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Formats a share as a percentage; 0 and 100 % only if they are exact. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100
  if (percent > 0 && percent < 0.1) return '< 0.1 %'
  if (percent > 99.9 && percent < 100) return '> 99.9 %'
  const hasTenths = percent < 10 || (percent > 99 && percent < 100)
  return `${percent.toFixed(hasTenths ? 1 : 0)} %`
}

function threeDigits(value: number): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2
  return value.toFixed(digits)
}

/** Rates below 1 in this number are practically zero. */
const MAX_ODDS = 1e12

/** Formats a probability for people. */
export function formatProbability(rate: number): string {
  if (rate === 0) return 'none'
  const others = 1 / rate
  if (others > MAX_ODDS) return 'less than 1 in 1T'
  const notation = others >= 1e6 ? 'compact' : 'standard'
  const digits = {
    notation,
    maximumFractionDigits: others < 10 ? 1 : others < 1e6 ? 0 : 1,
  } as const
  return `1 in ${others.toLocaleString('en', digits)}`
}

/** Units of a rate in milliseconds. */
const RATE_UNITS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const
type RateUnit = keyof typeof RATE_UNITS
export const SHORT_UNITS = { second: 's', minute: 'min', hour: 'h' } as const satisfies Record<
  RateUnit,
  string
>

/**
 * Returns a rate per second, or per minute or hour if it is small.
 * @param length milliseconds that `count` took
 */
export function rateWithUnit(
  count: number,
  length: number,
): { readonly value: string; readonly unit: RateUnit } {
  const perMs = count / length
  const seen = (['second', 'minute'] as const).find((unit) => perMs * RATE_UNITS[unit] >= 0.95)
  const unit = count === 0 ? 'second' : (seen ?? 'hour')
  const value = perMs * RATE_UNITS[unit]
  return { value: value >= 10 ? formatCount(Math.round(value)) : value.toFixed(1), unit }
}

/** Last time that a date can have, in milliseconds since 1970. */
const LAST_MOMENT = 8.64e15

/** Formats a time in UTC, as in the records. */
export function formatMoment(ms: number): string {
  return new Date(Math.min(ms, LAST_MOMENT)).toISOString().slice(0, 19).replace('T', ' ')
}
