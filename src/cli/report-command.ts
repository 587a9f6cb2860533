import type { Command } from 'commander'

/** What was typed after `crawl report <visits>`. */
export interface ReportFlags {
  readonly links?: string
  readonly log?: string
  readonly output: string
  readonly overwrite?: true
}

/** Adds `crawl report`: a file of visits as a page to look at. */
export function addReportCommand(
  program: Command,
  action: (visits: string, flags: ReportFlags) => Promise<void>,
): void {
  program
    .command('report')
    .helpGroup('What a crawl found:')
    .description('Makes one HTML file of what a crawl found; it needs no network.')
    .argument('<visits>', 'visits of a crawl, as JSON lines, or a directory of --state')
    .option('--links <file>', 'what --links wrote: names all pages that link to a broken URL')
    .option('--log <file>', 'what the crawl logged as JSON: draws queue and memory over time')
    .option('-o, --output <file>', 'write the report here; - is stdout', '-')
    .option('--overwrite', 'replace an existing file')
    .action(action)
}
