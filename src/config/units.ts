const DURATION_UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const SIZE_UNITS_BYTES = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
} as const

/** A decimal number and a unit, such as `250ms`, `2s`, `1.5h`; or 0, which needs none. */
export const DURATION_PATTERN = /^(?:0|(\d+(?:\.\d{1,3})?) ?(ms|s|m|h|d))$/

/** A decimal number and a unit, such as `10MiB` or `500kB`. */
export const SIZE_PATTERN = /^(\d{1,15}(?:\.\d{1,3})?) ?(B|kB|KB|MB|GB|KiB|MiB|GiB)$/

/** Parses text that matches `DURATION_PATTERN` to milliseconds. */
export function parseDuration(text: string): number {
  return measure(text, DURATION_PATTERN, DURATION_UNITS_MS)
}

/** Parses text that matches `SIZE_PATTERN` to bytes. */
export function parseSize(text: string): number {
  return measure(text, SIZE_PATTERN, SIZE_UNITS_BYTES)
}

function measure(text: string, pattern: RegExp, units: Readonly<Record<string, number>>): number {
  const [, amount = '0', unit = ''] = pattern.exec(text) ?? []
  return Math.round(Number(amount) * (units[unit] ?? 0))
}
