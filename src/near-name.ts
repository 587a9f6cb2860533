/** Longer words are no misspelled names, and take long to compare. */
const MAX_LENGTH = 100

/** Returns the name that a word is a misspelling of: one letter or one swap away, if any. */
export function nearName(word: string, names: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined
  return names.find((name) => isOneEditApart(plain(word), plain(name)))
}

/** Characters of a part of a name that can stand for it. */
const MIN_PART = 3

/** Returns the name that a word is a misspelling of, or the only one that it is a part of: `strip-www` for `www`. */
function likelyName(word: string, names: readonly string[]): string | undefined {
  const near = nearName(word, names)
  const part = plain(word)
  if (near !== undefined || part.length < MIN_PART) return near
  const [whole, ...others] = names.filter((name) => plain(name).includes(part))
  return others.length === 0 ? whole : undefined
}

/** Returns what a message adds to the expected names if a word is likely one of them; empty otherwise. */
export function nameSuggestion(word: string, names: readonly string[]): string {
  return didYouMean(likelyName(word, names))
}

/** Returns what a message adds to what it expected; empty if nothing is known to be meant. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : ` (did you mean ${meant}?)`
}

/** Returns a word without what is easily written in another way: `content_type` as `contenttype`. */
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
