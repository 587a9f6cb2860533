import { readdirSync } from 'node:fs'
import type { Command } from 'commander'
import { createProgram } from '../src/cli/program.ts'

const root = new URL('../', import.meta.url)

/** The command line with its subcommands: each file of one exports the function that adds it. */
export async function wholeProgram(): Promise<Command> {
  const program = createProgram('')
  const folder = new URL('src/cli/', root)
  const files = readdirSync(folder).filter((name) => name.endsWith('-command.ts'))
  for (const file of files.sort()) {
    const module: Record<string, unknown> = await import(new URL(file, folder).href)
    for (const add of Object.values(module)) if (typeof add === 'function') add(program, () => {})
  }
  return program
}
