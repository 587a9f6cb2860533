import type { Command } from 'commander'
import { nearName } from '../near-name.ts'

/** A host on the local network may have such a name, but it is usually a mistyped command. */
const BARE_WORD = /^[a-z-]+$/i

/**
 * Ends with an error if the first seed looks like the name of a command. It would be crawled, and a
 * job meant to check a site would silently never do so.
 */
export function refuseMisspelledCommand(program: Command, [word]: readonly string[]): void {
  if (word === undefined || !BARE_WORD.test(word)) return
  const names = program.commands.map((command) => command.name())
  const near = nearName(word, names)
  if (near === undefined) return
  program.error(`error: ${word}: did you mean ${near}? A host of that name is http://${word}/`)
}
