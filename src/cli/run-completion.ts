import type { Command } from 'commander'
import { bashCompletion } from './completion/bash.ts'
import { type CommandWords, wordsOf } from './completion/command-tree.ts'
import { fishCompletion } from './completion/fish.ts'
import { zshCompletion } from './completion/zsh.ts'
import type { Shell } from './completion-command.ts'
import { EXIT_CODE } from './exit-code.ts'
import { print, tellError } from './print.ts'
import type { World } from './world.ts'

const SCRIPTS = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
} satisfies Record<Shell, (program: CommandWords) => string>

/** Carries out `crawl completion`; gives the exit code. */
export async function runCompletion(shell: Shell, program: Command, world: World): Promise<number> {
  try {
    await print([SCRIPTS[shell](wordsOf(program))], world)
    return EXIT_CODE.done
  } catch (error) {
    return tellError(error, world)
  }
}
