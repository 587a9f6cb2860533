import type { Command } from 'commander'

/** A host on the local network may have such a name; most often it is a word of the command line. */
const BARE_WORD = /^[a-z-]+$/i

/**
 * Ends with an error where the first seed looks like the name of a command: it would be crawled, and a
 * job that was to check a site would do so for ever without a complaint.
 */
export function refuseMisspelledCommand(program: Command, [word]: readonly string[]): void {
  if (word === undefined || !BARE_WORD.test(word)) return
  const names = [...program.commands.map((command) => command.name()), 'help']
  const near = names.find((name) => isOneEditApart(word.toLowerCase(), name))
  if (near === undefined) return
  const meant = near === 'help' ? '--help' : near
  program.error(`error: ${word}: did you mean ${meant}? A host of that name is http://${word}/`)
}

/** Whether the words are the same, or one letter more, less or other, or two that changed places. */
function isOneEditApart(first: string, second: string): boolean {
  const shortened = new Set(oneLess(second))
  return oneLess(first).some((word) => shortened.has(word))
}

/** The word, and what is left of it without each of its letters. */
function oneLess(word: string): string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))]
}
