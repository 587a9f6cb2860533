import type { Command } from 'commander'
import { nearName } from '../near-name.ts'

/** Adds to the message of an unknown option which one was meant, if one is near. */
export function addSuggestion(text: string, program: Command, args: readonly string[]): string {
  const [, typed] = /^error: unknown option '(--[\w-]+)/.exec(text) ?? []
  if (typed === undefined) return text
  const command = program.commands.find((each) => each.name() === args[0]) ?? program
  const visible = command.options.filter(({ hidden }) => !hidden)
  const near = nearName(
    typed,
    visible.flatMap(({ long }) => long ?? []),
  )
  return near === undefined ? text : `${text.trimEnd()}\n(Did you mean ${near}?)\n`
}
