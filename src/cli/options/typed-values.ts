import { CrawlerError } from '../../errors.ts'
import { nameSuggestion } from '../../near-name.ts'

const NUMBER = /^\d*\.?\d+(?:e[-+]?\d+)?$/i

/** Returns the number in a text such as 12, .5 or 1e6; NaN for any other text. */
export function parseNumber(text: string): number {
  return NUMBER.test(text) ? Number(text) : Number.NaN
}

/**
 * Refuses empty file names, which messages could not show.
 * @param names file names, each by its flag or argument
 * @throws CrawlerError('usage')
 */
export function checkFileNames(names: Readonly<Record<string, string | undefined>>): void {
  const empty = Object.keys(names).find((label) => names[label] === '')
  if (empty !== undefined) throw unexpectedValue(empty, 'a file name', '')
}

/**
 * Returns the error for an unexpected value of a flag.
 * @param choices valid values; the message suggests one that is similar to `value`
 */
export function unexpectedValue(
  flag: string,
  expected: string,
  value: string,
  choices: readonly string[] = [],
): CrawlerError {
  const suggestion = nameSuggestion(value, choices)
  return new CrawlerError('usage', `${flag}: expected ${expected}${suggestion}, got \`${value}\``)
}
