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

/** Decimal numbers with units, such as `250ms`, `1.5h` or `1h30m`; or 0, which needs no unit. */
export const DURATION_PATTERN = /^(?:0|(?! )(?: ?\d+(?:\.\d{1,3})? ?(?:ms|s|m|h|d))+)$/

/** One number of a duration, with its unit. */
const DURATION_PART = /([\d.]+) ?(ms|s|m|h|d)/

/** A decimal number and a unit, such as `10MiB` or `500kB`. */
export const SIZE_PATTERN = /^(\d{1,15}(?:\.\d{1,3})?) ?(B|kB|KB|MB|GB|KiB|MiB|GiB)$/

/** A number of requests, per second or per the unit behind the slash: `5`, `5/s`, `30/m`. */
export const RATE_PATTERN = /^(\d{1,9}(?:\.\d{1,3})?)(?:\/([smhd]))?$/

/** Bytes per second: `500k`, `2M/s`, `1.5MB`, `64KiB/s`, `9000`. JSON schemas allow no flag such as `i`. */
export const BANDWIDTH_PATTERN =
  /^(\d{1,12}(?:\.\d{1,3})?) ?(?:([kKmMgG])([iI]?)[bB]?|[bB])?(?:\/[sS])?$/

/** A part of a whole: `50%`. */
export const SHARE_PATTERN = /^(\d{1,6}(?:\.\d{1,3})?) ?%$/

/** Parses text that matches `RATE_PATTERN` to a number per second. */
export function parseRate(text: string): number {
  const [, amount = '0', unit = 's'] = RATE_PATTERN.exec(text) ?? []
  return (Number(amount) / parseDuration(`1${unit}`)) * 1_000
}

/** Parses text that matches `BANDWIDTH_PATTERN` to bytes per second. */
export function parseBandwidth(text: string): number {
  const [, amount = '0', prefix = '', binary = ''] = BANDWIDTH_PATTERN.exec(text) ?? []
  const base = binary === '' ? 1_000 : 1_024
  const power = ['', 'k', 'm', 'g'].indexOf(prefix.toLowerCase())
  return Math.round(Number(amount) * base ** power)
}

/** Parses text that matches `SHARE_PATTERN`: 0.5 for `50%`. */
export function parseShare(text: string): number {
  return Number(SHARE_PATTERN.exec(text)?.[1] ?? 0) / 100
}

/** Parses text that matches `DURATION_PATTERN` to milliseconds. */
export function parseDuration(text: string): number {
  const parts = text.match(new RegExp(DURATION_PART, 'g')) ?? []
  return parts.reduce((ms, part) => ms + measure(part, DURATION_PART, DURATION_UNITS_MS), 0)
}

/** Parses text that matches `SIZE_PATTERN` to bytes. */
export function parseSize(text: string): number {
  return measure(text, SIZE_PATTERN, SIZE_UNITS_BYTES)
}

function measure(text: string, pattern: RegExp, units: Readonly<Record<string, number>>): number {
  const [, amount = '0', unit = ''] = pattern.exec(text) ?? []
  return Math.round(Number(amount) * (units[unit] ?? 0))
}

/** Units of a parsed number, each with the number that 1 unit is parsed to. Larger units come first. */
const TYPED_UNITS: readonly (readonly [unit: string, value: number])[] = [
  ...Object.entries(DURATION_UNITS_MS).toReversed(),
  ...(['GB/s', 'MB/s', 'kB/s', 'B/s'] as const).map(
    (unit) => [unit, parseBandwidth(`1${unit}`)] as const,
  ),
  ...(['/s', '/m', '/h', '/d'] as const).map((unit) => [unit, parseRate(`1${unit}`)] as const),
  ['%', 0.01],
]

/** Returns texts that may be parsed to a number, such as `7d` for 604800000. Texts with whole amounts come first. */
export function possibleQuantities(value: number): string[] {
  if (value === 0) return ['0']
  const amounts = TYPED_UNITS.map(([unit, one]) => ({
    unit,
    amount: Number((value / one).toFixed(3)),
  }))
  const isWhole = ({ amount }: { readonly amount: number }) => Number.isInteger(amount)
  const decimal = amounts.filter((each) => !isWhole(each))
  return [...amounts.filter(isWhole), ...decimal].map(({ unit, amount }) => `${amount}${unit}`)
}
