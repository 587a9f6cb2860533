import type { Command } from 'commander'
import { CrawlerError } from '../../errors.ts'
import { exportedFrom, reportOn } from '../../inspect/state/state-report.ts'
import { encodeJson } from '../../records/json-line.ts'
import type { CliContext, RunAction } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { print, printLines } from '../terminal/print.ts'

type Report = ReturnType<typeof reportOn>

interface StateFlags {
  readonly json?: true
  readonly export?: string
}

/** Configures `crawl state <dir>`. */
export function configureState(command: Command, run: RunAction): void {
  command
    .argument('<dir>', 'directory of --state')
    .option('--json', 'print one JSON object')
    .option('--export <what>', 'print all visits or the whole queue instead, as JSON lines')
    .action((path: string, flags: StateFlags) => run((context) => showState(path, flags, context)))
}

async function showState(path: string, flags: StateFlags, context: CliContext): Promise<number> {
  if (flags.export !== undefined) await print(exported(path, flags.export), context)
  else if (flags.json) await printLines([encodeJson(reportOn(path))], context)
  else await printLines(table(reportOn(path)), context)
  return EXIT_CODE.done
}

function exported(path: string, what: string): Iterable<string> {
  if (what === 'visits' || what === 'queue') return exportedFrom(path, what)
  throw new CrawlerError('usage', `--export: expected visits or queue, got \`${what}\``)
}

function table({ progress, tally, urls, hosts, queues, seen, files }: Report): string[] {
  const rows: [string, string | number][] = [
    ['progress', progress],
    ['time', `${Math.round(tally.elapsedMs / 1_000)} s`],
    ['records', tally.visits],
    ...Object.entries(urls),
    ['hosts', hosts],
    ['seen set', `${seen.added} URLs, ${(seen.fill * 100).toPrecision(2)} % full`],
    ...queues.map(({ host, waiting }): [string, string] => ['queue', `${waiting} of ${host}`]),
    ...Object.entries(files).map(([file, bytes]): [string, string] => [
      'bytes',
      `${bytes} in ${file}`,
    ]),
  ]
  return rows.map(([name, value]) => `${name.padEnd(10)} ${value}`)
}
