import type { Command } from 'commander'
import { addCheckOptions, type Flags } from './program.ts'

/** What was typed after `crawl check <url...>`, beside the options of a crawl. */
export interface CheckFlags extends Flags {
  readonly format: string
  readonly failOn: string
  readonly junit?: string
  readonly overwrite?: true
}

/** Adds `crawl check`: the links of a site, and what is wrong with them. */
export function addCheckCommand(
  program: Command,
  action: (seeds: readonly string[], flags: CheckFlags) => Promise<void>,
): void {
  const command = program
    .command('check')
    .helpGroup('To crawl:')
    .description('Crawls a site and tells which of its links are broken.')
    .argument('[seed-url...]', 'where the site begins')
    .optionsGroup('What is told:')
    .option('-f, --format <name>', 'text, grouped by page, or json', 'text')
    .option('--fail-on <problems>', 'end with 8 for: broken, fragment, redirect', 'broken,fragment')
    .option('--junit <file>', 'write what is wrong as JUnit XML, too')
    .option('--overwrite', 'replace an existing file')
  addCheckOptions(command)
  command.action(action)
}
