/** Maximum length of words that are compared. Longer words are no misspelled names, and take long to compare. */
const MAX_LENGTH = 100

/** Returns the first name that differs from a word by at most one letter or one swap; undefined if there is none. */
export function nearName(word: string, names: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined
  return names.find((name) => isOneEditApart(plain(word), plain(name)))
}

/** Minimum characters of a part of a name that is recognized as that name. */
const MIN_PART = 3

/** Returns the name that a word misspells, or the only name that contains the word: `strip-www` for `www`. */
function likelyName(word: string, names: readonly string[]): string | undefined {
  const near = nearName(word, names)
  const part = plain(word)
  if (near !== undefined || part.length < MIN_PART) return near
  const [whole, ...others] = names.filter((name) => plain(name).includes(part))
  return others.length === 0 ? whole : undefined
}

/** Returns a suggestion to append to a message, if a word is likely one of the expected names; otherwise ''. */
export function nameSuggestion(word: string, names: readonly string[]): string {
  return didYouMean(likelyName(word, names))
}

/** Returns a suggestion to append to a message; '' if `meant` is undefined. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : ` (did you mean ${meant}?)`
}

/** Returns a word without differences of notation, such as case and separators: `contenttype` for `content_type`. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[-_. ]/g, '')
}

/** Returns whether two words are equal, or differ by one letter or one swap. */
function isOneEditApart(first: string, second: string): boolean {
  const shortened = new Set(withOneLetterLess(second))
  return withOneLetterLess(first).some((word) => shortened.has(word))
}

/** Returns the word, and each variant of it with one letter removed. */
function withOneLetterLess(word: string): string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))]
}
