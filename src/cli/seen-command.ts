import type { Command } from 'commander'

/** Adds `crawl seen <dir> <action> [url...]`: what a crawl has met. */
export function addSeenCommand(
  program: Command,
  run: (path: string, action: string, urls: readonly string[]) => Promise<void>,
): void {
  program
    .command('seen')
    .helpGroup('The seen set:')
    .description('Asks or tells the crawl in a directory of --state which URLs were met.')
    .argument('<dir>', 'the directory')
    .argument('<action>', 'has, add or forget')
    .argument('<url...>', 'the URLs; - takes one from each line of stdin')
    .action((path, action, urls) => run(path, action, urls))
}
