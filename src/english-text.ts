/*
 * Numbers are not formatted by `toLocaleString`, whose first call loads data of languages for 10 ms: a tenth of the time
 * of a crawl of one page.
 */

/** Formats a whole number in English, such as 12,345. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Formats a count of things, such as `1 page` or `12 pages`. */
export function countOf(number: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(number)} ${number === 1 ? singular : plural}`
}

/** Formats a share of 1 as a percentage with two significant digits and at most two decimal places, such as 12 %. */
export function formatPercent(share: number): string {
  const percent = share * 100
  return `${Number(percent < 0.1 ? percent.toFixed(2) : percent.toPrecision(2))} %`
}

/** Formats milliseconds, such as 250 ms, 1.5 s or 3600 s. */
export function formatSeconds(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  const seconds = ms / 1_000
  return `${seconds < 99.95 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`
}

/** Returns the kind of a JSON value: `null`, `a list`, `a string` and so on. */
export function kindOfJson(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/** Formats a list, such as `one, another and a third`. */
export function formatList(names: readonly string[], word: 'and' | 'or'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}
