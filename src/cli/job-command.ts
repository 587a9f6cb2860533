import type { Command } from 'commander'
import { splitAtCommas } from './setting-options.ts'

/** What was typed after `crawl job`. */
export interface JobFlags {
  readonly frontier: readonly string[]
  readonly json?: true
}

/** Adds `crawl job <action> [name]`: what is done with jobs on Redis. */
export function addJobCommand(
  program: Command,
  run: (action: string, name: string | undefined, flags: JobFlags) => Promise<void>,
): void {
  program
    .command('job')
    .helpGroup('To crawl:')
    .description('Shows and steers crawls that many processes share over Redis.')
    .argument('<action>', 'list, show, pause, resume, stop or delete')
    .argument('[name]', 'the job; all but list need one')
    .requiredOption(
      '--frontier <redis-url>',
      'the servers that hold it, separated by commas',
      splitAtCommas,
    )
    .option('--json', 'as JSON, one object per line')
    .action(run)
}
