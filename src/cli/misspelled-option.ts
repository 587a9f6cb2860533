import type { Command } from 'commander'
import { longFlagOf } from '../config/describe-config-errors.ts'
import { settingsWith } from '../config/schema.ts'
import { nearName } from '../near-name.ts'

/** Adds to the message of an unknown option which one was meant, if one is near, or another program's name for one. */
export function addSuggestion(text: string, program: Command, args: readonly string[]): string {
  const [, typed] = /^error: unknown option '(--?[\w-]+)/.exec(text) ?? []
  if (typed === undefined) return text
  const command = program.commands.find((each) => each.name() === args[0]) ?? program
  const visible = command.options.filter(({ hidden }) => !hidden)
  const names = visible.flatMap(({ long }) => long ?? [])
  const [same] = settingsWith(({ otherNames = [] }) => otherNames.includes(typed))
  const near = same === undefined ? nearOption(typed, names) : longFlagOf(same)
  return near === undefined ? text : `${text.trimEnd()}\n(Did you mean ${near}?)\n`
}

function nearOption(typed: string, names: readonly string[]): string | undefined {
  return typed.startsWith('--') ? nearName(typed, names) : undefined
}
