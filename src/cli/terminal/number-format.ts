import { formatCount } from '../../english-text.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Formats a rate, with one decimal if it is small. */
export function formatRate(perSecond: number): string {
  return perSecond < 9.95 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond))
}

/** Formats bytes in powers of 1,024. */
export function formatSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(1, bytes)) / 10), units.length - 1)
  const number = bytes / 1_024 ** power
  return `${number >= 99.95 || power === 0 ? formatCount(Math.round(number)) : number.toFixed(1)} ${units[power]}`
}

/** Formats milliseconds as 7 ms, 1.2 s, 3:07 or 2:15:00. */
export function formatClockDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < MINUTE - 50) return `${(ms / 1_000).toFixed(1)} s`
  const shown = Math.max(ms, MINUTE)
  const [hours, minutes] = [Math.floor(shown / HOUR), Math.floor((shown % HOUR) / MINUTE)]
  const seconds = twoDigits(Math.floor((shown % MINUTE) / 1_000))
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${seconds}` : `${minutes}:${seconds}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
