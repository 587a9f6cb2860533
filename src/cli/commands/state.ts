import type { Command } from 'commander'
import { countOf, formatPercent } from '../../english-text.ts'
import { exportState, readStateReport, type StateReport } from '../../inspect/state/state-report.ts'
import { encodeJson } from '../../records/json-line.ts'
import type { CliContext, RunAction } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { ListedOption } from '../options/option-choices.ts'
import { checkFileNames, unexpectedValue } from '../options/typed-values.ts'
import { print, printLines } from '../terminal/print.ts'

interface StateFlags {
  readonly json?: true
  readonly export?: string
}

const EXPORTS = ['visits', 'queue']

/** Configures `crawl state <dir>`. */
export function configureState(command: Command, run: RunAction): void {
  command
    .argument('<dir>', 'directory of --state')
    .option('--json', 'print one JSON object')
    .addOption(
      new ListedOption(
        '--export <what>',
        `print all visits or the whole queue instead, as JSON lines (${EXPORTS.join(', ')})`,
        EXPORTS,
      ),
    )
    .action((path: string, flags: StateFlags) => run((context) => showState(path, flags, context)))
}

async function showState(path: string, flags: StateFlags, context: CliContext): Promise<number> {
  checkFileNames({ '<dir>': path })
  if (flags.export !== undefined) await print(exportLines(path, flags.export), context)
  else if (flags.json) await printLines([encodeJson(readStateReport(path))], context)
  else await printLines(reportLines(readStateReport(path)), context)
  return EXIT_CODE.done
}

function exportLines(path: string, what: string): Iterable<string> {
  if (what === 'visits' || what === 'queue') return exportState(path, what)
  throw unexpectedValue('--export', 'visits or queue', what, EXPORTS)
}

function reportLines({ progress, tally, urls, hosts, queues, seen, files }: StateReport): string[] {
  const rows: [string, string | number][] = [
    ['progress', progress],
    ['time', `${Math.round(tally.elapsedMs / 1_000)} s`],
    ['records', tally.visits],
    ...(tally.round > 1 ? [roundRow(tally)] : []),
    ...Object.entries(urls),
    ['hosts', hosts],
    ['seen set', `${countOf(seen.added, 'URL')}, ${formatPercent(seen.fill)} full`],
    ...queues.map(({ host, waiting }): [string, string] => [
      'waiting',
      `${countOf(waiting, 'URL')} of ${host}`,
    ]),
    ...Object.entries(files).map(([file, bytes]): [string, string] => [
      'file',
      `${file}, ${countOf(bytes, 'byte')}`,
    ]),
  ]
  return rows.map(([name, value]) => `${name.padEnd(10)} ${value}`)
}

function roundRow({ round, visits, visitsBefore }: StateReport['tally']): [string, string] {
  return ['round', `${round}, with ${countOf(visits - visitsBefore, 'record')}`]
}
