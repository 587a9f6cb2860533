import type { Command } from 'commander'

/** What was typed after `crawl state <dir>`. */
export interface StateFlags {
  readonly json?: true
  readonly export?: string
}

/** Adds `crawl state <dir>`: what a directory of `--state` holds. */
export function addStateCommand(
  program: Command,
  action: (path: string, flags: StateFlags) => Promise<void>,
): void {
  program
    .command('state')
    .helpGroup('What a crawl found:')
    .description('Shows how far the crawl in a directory of --state is, also while it goes on.')
    .argument('<dir>', 'the directory')
    .option('--json', 'as one object of JSON')
    .option('--export <what>', 'all visits or all of the queue instead, as JSON lines')
    .action(action)
}
