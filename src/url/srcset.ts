import type { UrlWithOffset } from './url-with-offset.ts'

/**
 * Returns the URLs of the valid candidates of a `srcset`, at most `max` (HTML standard, "parse a srcset attribute"). A
 * URL may contain commas, but not begin or end with one.
 */
export function findSrcsetUrls(srcset: string, max: number): UrlWithOffset[] {
  const urls: UrlWithOffset[] = []
  let at = endOfRun(SEPARATORS, srcset, 0)
  while (at < srcset.length && urls.length < max) {
    const end = endOfRun(NO_SPACE, srcset, at)
    const urlEnd = startOfCommas(srcset, end)
    // A comma at the end of the URL ends the candidate.
    const next = urlEnd < end ? end : endOfDescriptors(srcset, end)
    if (areValid(srcset.slice(end, next))) {
      urls.push({ url: srcset.slice(at, urlEnd), start: at })
    }
    at = endOfRun(SEPARATORS, srcset, next)
  }
  return urls
}

/** Like `findSrcsetUrls`, without the positions. */
export function srcsetUrls(srcset: string, max: number): string[] {
  return findSrcsetUrls(srcset, max).map(({ url }) => url)
}

const SEPARATORS = /[\t\n\f\r ,]*/y
const NO_SPACE = /[^\t\n\f\r ]*/y
const INTEGER = /^\d+$/
/** Matches a number of the HTML standard, "valid floating-point number". */
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i

function endOfRun(run: RegExp, text: string, from: number): number {
  run.lastIndex = from
  run.test(text)
  return run.lastIndex
}

function startOfCommas(text: string, end: number): number {
  let at = end
  while (text[at - 1] === ',') at--
  return at
}

/**
 * Returns the index of the comma that ends the candidate, or the end of the text. Commas in parentheses don't end it.
 */
function endOfDescriptors(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== ',') {
    const close = text[at] === '(' ? text.indexOf(')', at) : at
    at = close < 0 ? text.length : close + 1
  }
  return at
}

/**
 * Returns whether the descriptors are valid: there are none, a density, or a width with an optional height. Splitting
 * at white space inside parentheses does no harm: a descriptor with a `(` is invalid anyway.
 */
function areValid(descriptors: string): boolean {
  const kinds = descriptors
    .split(/[\t\n\f\r ]+/)
    .filter((each) => each !== '')
    .map(kindOf)
    .sort()
  return VALID.has(kinds.join(''))
}

/** Valid combinations of kinds of descriptors, each in alphabetical order. */
const VALID = new Set(['', 'x', 'w', 'hw'])

function kindOf(descriptor: string): string {
  const number = descriptor.slice(0, -1)
  const unit = descriptor.slice(-1)
  if (unit === 'x') return NUMBER.test(number) && Number(number) >= 0 ? unit : '?'
  const isSize = unit === 'w' || unit === 'h'
  return isSize && INTEGER.test(number) && Number(number) > 0 ? unit : '?'
}
