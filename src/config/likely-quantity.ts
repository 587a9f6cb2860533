/** Units as people write them, each with the unit that settings accept. `m` may be minutes or megabytes. */
const TIMES: readonly (readonly [RegExp, unit: string])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/i, 'ms'],
  [/^(?:s|secs?|seconds?)$/i, 's'],
  [/^(?:m|mins?|minutes?)$/i, 'm'],
  [/^(?:h|hrs?|hours?)$/i, 'h'],
  [/^(?:d|days?)$/i, 'd'],
]
const SIZES: typeof TIMES = [
  [/^(?:b|bytes?)$/i, 'B'],
  [/^(?:k|kb|kilobytes?)$/i, 'kB'],
  [/^(?:m|mb|megabytes?)$/i, 'MB'],
  [/^(?:g|gb|gigabytes?)$/i, 'GB'],
  [/^kib$/i, 'KiB'],
  [/^mib$/i, 'MiB'],
  [/^gib$/i, 'GiB'],
]
const PERCENT: typeof TIMES = [[/^(?:%|percent)$/i, '%']]
const QUANTITY = /^(\d{1,15}(?:\.\d{1,3})?)\s*([a-z%]*)\s*(?:(?:\/|per\s)\s*([a-z]+))?$/i
const MAX_LENGTH = 40

/** Units to suggest for a number without one. Not `%`: 0.5 may stand for 50 % or for half a percent. */
const MISSING_UNITS = ['s', '/s']
/** Numbers from this one on may also be milliseconds, the unit of times in other programs. */
const LONG_TIME = 100

/**
 * Returns the quantities that a number may mean: `2m` for `2 minutes`, `10m` and `10MB` for `10M`. For a number without
 * a unit: `5s` and `5/s` for `5`, and also `1000ms` for `1000`.
 */
export function likelyQuantities(text: string): string[] {
  const [, number, unit = '', per] = QUANTITY.exec(text.slice(0, MAX_LENGTH).trim()) ?? []
  if (number === undefined) return []
  if (unit === '' && per === undefined) {
    const units = Number(number) < LONG_TIME ? MISSING_UNITS : [...MISSING_UNITS, 'ms']
    return units.map((missing) => number + missing)
  }
  if (per === undefined) {
    return unitsLike(unit, [...TIMES, ...SIZES, ...PERCENT]).map((known) => number + known)
  }
  const counted = /^(?:|req|requests?|pages?)$/i.test(unit) ? [''] : unitsLike(unit, SIZES)
  return counted.flatMap((what) => unitsLike(per, TIMES).map((time) => `${number}${what}/${time}`))
}

function unitsLike(written: string, units: typeof TIMES): string[] {
  return units.flatMap(([pattern, unit]) => (pattern.test(written) ? [unit] : []))
}
