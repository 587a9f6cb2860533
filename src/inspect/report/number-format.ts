/** Numbers for people, in English and always with a unit. */

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
