import { Argument, type Command } from 'commander'

const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Adds `crawl completion <shell>`: a script that teaches a shell the command line. */
export function addCompletionCommand(
  program: Command,
  action: (shell: Shell) => Promise<void>,
): void {
  program
    .command('completion')
    .helpGroup('The shell:')
    .description('Prints a script that lets a shell complete this command line.')
    .addArgument(new Argument('<shell>', 'which one').choices(SHELLS))
    .action(action)
}
