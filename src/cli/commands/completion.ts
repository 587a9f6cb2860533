import type { Command } from 'commander'
import type { RunAction } from '../cli-context.ts'
import { bashCompletion } from '../completion/bash.ts'
import { type CommandWords, commandWords } from '../completion/command-tree.ts'
import { fishCompletion } from '../completion/fish.ts'
import { powershellCompletion } from '../completion/powershell.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { ListedArgument } from '../options/option-choices.ts'
import { unexpectedValue } from '../options/typed-values.ts'
import { print } from '../terminal/print.ts'

const SCRIPTS: ReadonlyMap<string, (program: CommandWords) => string> = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
  ['powershell', powershellCompletion],
])

const SHELLS = [...SCRIPTS.keys()]

/** Configures `crawl completion <shell>`. */
export function configureCompletion(command: Command, run: RunAction): void {
  const program = command.parent ?? command
  command
    .addArgument(new ListedArgument('<shell>', 'bash, zsh, fish or powershell', SHELLS))
    .action((shell: string) => {
      return run(async (context) => {
        const scriptOf = SCRIPTS.get(shell)
        if (scriptOf === undefined) {
          throw unexpectedValue('<shell>', `one of ${SHELLS.join(', ')}`, shell, SHELLS)
        }
        await print([scriptOf(commandWords(program))], context)
        return EXIT_CODE.done
      })
    })
}
