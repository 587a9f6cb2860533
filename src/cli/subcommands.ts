import type { Command } from 'commander'
import type { RunAction } from './cli-context.ts'

/** Adds arguments, options and the action to a command that already has its name and description. */
type Configure = (command: Command, run: RunAction) => void

/** A subcommand. Its code is loaded only if it is typed, so that other commands start faster. */
interface Subcommand {
  readonly name: string
  /** Heading under which `crawl --help` lists it. */
  readonly group: string
  readonly description: string
  load(): Promise<Configure>
}

const TO_CRAWL = 'Commands that crawl:'
const TO_INSPECT = 'Commands that show what a crawl found:'
const FOR_LARGE_CRAWLS = 'Commands for large crawls and the seen set:'
const TO_HELP = 'Commands for help:'

const SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: 'check',
    group: TO_CRAWL,
    description: 'Crawls a site and reports which of its links are broken.',
    load: async () => (await import('./commands/check.ts')).configureCheck,
  },
  {
    name: 'job',
    group: TO_CRAWL,
    description: 'Shows and controls crawls that several processes share over Redis.',
    load: async () => (await import('./commands/job.ts')).configureJob,
  },
  {
    name: 'report',
    group: TO_INSPECT,
    description: 'Shows a crawl as an HTML page.',
    load: async () => (await import('./commands/report.ts')).configureReport,
  },
  {
    name: 'diff',
    group: TO_INSPECT,
    description: 'Compares two crawls by URL: what was added, removed or changed.',
    load: async () => (await import('./commands/diff.ts')).configureDiff,
  },
  {
    name: 'state',
    group: TO_INSPECT,
    description: 'Shows the progress of the crawl in a --state directory, even while it runs.',
    load: async () => (await import('./commands/state.ts')).configureState,
  },
  {
    name: 'seen',
    group: FOR_LARGE_CRAWLS,
    description: 'Checks or changes which URLs the crawl in a --state directory has seen.',
    load: async () => (await import('./commands/seen.ts')).configureSeen,
  },
  {
    name: 'plan',
    group: FOR_LARGE_CRAWLS,
    description:
      'Shows how much memory each --seen needs on this machine, and what a large crawl takes.',
    load: async () => (await import('./commands/plan.ts')).configurePlan,
  },
  {
    name: 'help',
    group: TO_HELP,
    description: 'Shows the help of a command.',
    load: async () => (await import('./commands/help.ts')).configureHelp,
  },
  {
    name: 'completion',
    group: TO_HELP,
    description: 'Prints a script that lets a shell complete this command line.',
    load: async () => (await import('./commands/completion.ts')).configureCompletion,
  },
]

/**
 * Adds the subcommands to a program.
 * @param isNeeded returns whether a subcommand needs its arguments and options
 */
export async function addSubcommands(
  program: Command,
  run: RunAction,
  isNeeded: (name: string) => boolean = () => true,
): Promise<void> {
  for (const { name, group, description, load } of SUBCOMMANDS) {
    const command = program.command(name).helpGroup(group).description(description)
    if (isNeeded(name)) (await load())(command, run)
  }
}
