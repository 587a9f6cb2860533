import type { Command } from 'commander'
import { type Comparison, compareVisits } from '../../inspect/diff/compare-visits.ts'
import { describeDifferences, describeLimits } from '../../inspect/diff/describe-differences.ts'
import type { Difference } from '../../inspect/diff/difference.ts'
import { encodeJson } from '../../records/json-line.ts'
import type { CliContext, RunAction } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { checkOneStdin, textInput } from '../files/text-inputs.ts'
import { checkFileNames } from '../options/typed-values.ts'
import { print, printLines, printMessage } from '../terminal/print.ts'
import { ReadingView } from '../terminal/reading-view.ts'

interface DiffFlags {
  readonly json?: true
  readonly exitCode?: true
}

/** Configures `crawl diff <before> <after>`. */
export function configureDiff(command: Command, run: RunAction): void {
  command
    .argument(
      '<before>',
      'visits of the first crawl as JSON lines, or its directory of --state; - is stdin',
    )
    .argument('<after>', 'the second crawl; make both with the same options')
    .option('--json', 'print one JSON line per difference, ordered by URL')
    .option('--exit-code', 'end with 9 if there are differences')
    .action((before: string, after: string, flags: DiffFlags) => {
      return run((context) => diff(before, after, flags, context))
    })
}

async function diff(
  before: string,
  after: string,
  flags: DiffFlags,
  context: CliContext,
): Promise<number> {
  const names = { '<before>': before, '<after>': after }
  checkFileNames(names)
  checkOneStdin(names)
  const inputs = [textInput(before, context), textInput(after, context)] as const
  const view = new ReadingView('comparing', [before, after], context)
  try {
    const comparison = await compareVisits(...inputs, view)
    try {
      return await printDifferences(comparison, flags, view, context)
    } finally {
      comparison.close()
    }
  } finally {
    view.end()
  }
}

async function printDifferences(
  comparison: Comparison,
  flags: DiffFlags,
  view: ReadingView,
  context: CliContext,
): Promise<number> {
  if (flags.json) {
    await printLines(view.endBefore(jsonLines(comparison.differences)), context)
    view.end()
    for (const remark of describeLimits(comparison)) printMessage(remark, context)
  } else await print(view.endBefore(describeDifferences(comparison)), context)
  return flags.exitCode && comparison.counts.size > 0 ? EXIT_CODE.differs : EXIT_CODE.done
}

function* jsonLines(differences: Iterable<Difference>): Generator<string> {
  for (const difference of differences) yield encodeJson(difference)
}
