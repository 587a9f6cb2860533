import type { Command } from 'commander'

/** What was typed after `crawl plan`. */
export interface PlanFlags {
  readonly urls: string
  readonly falsePositiveRate: string
  readonly json?: true
}

/** Adds the subcommand `plan`; `run` is called with what was typed. */
export function addPlanCommand(program: Command, run: (flags: PlanFlags) => void): void {
  program
    .command('plan')
    .helpGroup('The seen set:')
    .description('Tells what each seen set would cost on this machine.')
    .option('--urls <n>', 'URLs that the crawl will meet', '1e6')
    .option('--false-positive-rate <p>', 'share of new URLs that may be lost', '0.001')
    .option('--json', 'print one JSON object')
    .action(run)
}
