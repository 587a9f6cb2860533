import type { Command } from 'commander'

/** What was typed after `crawl diff <before> <after>`. */
export interface DiffFlags {
  readonly json?: true
  readonly exitCode?: true
}

/** Adds `crawl diff`: what two crawls tell otherwise. */
export function addDiffCommand(
  program: Command,
  action: (before: string, after: string, flags: DiffFlags) => Promise<void>,
): void {
  program
    .command('diff')
    .helpGroup('What a crawl found:')
    .description('Compares two crawls by URL: what was added, is gone, or has changed.')
    .argument('<before>', 'visits of the first crawl, as JSON lines')
    .argument('<after>', 'visits of the second one')
    .option('--json', 'one JSON line per difference, ordered by URL')
    .option('--exit-code', 'end with 9 when there are differences')
    .action(action)
}
