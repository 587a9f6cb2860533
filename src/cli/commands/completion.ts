import { Argument, type Command } from 'commander'
import type { RunAction } from '../cli-context.ts'
import { bashCompletion } from '../completion/bash.ts'
import { type CommandWords, commandWords } from '../completion/command-tree.ts'
import { fishCompletion } from '../completion/fish.ts'
import { powershellCompletion } from '../completion/powershell.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { print } from '../terminal/print.ts'

const SCRIPTS: ReadonlyMap<string, (program: CommandWords) => string> = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
  ['powershell', powershellCompletion],
])

/** Configures `crawl completion <shell>`. */
export function configureCompletion(command: Command, run: RunAction): void {
  const program = command.parent ?? command
  command
    .addArgument(new Argument('<shell>', 'which shell').choices([...SCRIPTS.keys()]))
    .action((shell: string) => {
      return run(async (context) => {
        const script = SCRIPTS.get(shell)?.(commandWords(program)) ?? ''
        await print([script], context)
        return EXIT_CODE.done
      })
    })
}
