import type { Command } from 'commander'

/** A host on the local network may have such a name, but it is usually a mistyped command. */
const BARE_WORD = /^[a-z-]+$/i

/**
 * Ends with an error if the first seed looks like the name of a command. It would be crawled, and a
 * job meant to check a site would silently never do so.
 */
export function refuseMisspelledCommand(program: Command, [word]: readonly string[]): void {
  if (word === undefined || !BARE_WORD.test(word)) return
  const names = [...program.commands.map((command) => command.name()), 'help']
  const near = names.find((name) => isOneEditApart(word.toLowerCase(), name))
  if (near === undefined) return
  const meant = near === 'help' ? '--help' : near
  program.error(`error: ${word}: did you mean ${meant}? A host of that name is http://${word}/`)
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
