import type { Command } from 'commander'
import { createProgram } from '../src/cli/options/crawl-options.ts'
import { addSubcommands } from '../src/cli/subcommands.ts'

/** Returns the command line with all options of its subcommands. */
export async function wholeProgram(): Promise<Command> {
  const program = createProgram('')
  await addSubcommands(program, async () => {})
  return program
}
