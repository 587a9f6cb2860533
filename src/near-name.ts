/** Longer words are no misspelled names, and take long to compare. */
const MAX_LENGTH = 100

/** Returns the name that a word is a misspelling of: one letter or one swap away, if any. */
export function nearName(word: string, names: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined
  return names.find((name) => isOneEditApart(plain(word), plain(name)))
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
