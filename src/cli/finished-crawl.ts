import { resolve } from 'node:path'
import type { Config } from '../config/schema.ts'
import { countFailed, hasNothingLeft } from '../crawl/checkpoint/revisit-rounds.ts'
import { countOf } from '../english-text.ts'
import { missingOutputs } from '../output/missing-outputs.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import type { CliContext } from './cli-context.ts'
import { printMessage } from './terminal/print.ts'

/**
 * Returns whether a stored crawl has nothing left to visit, and no missing output to write again. Prints the names of
 * missing outputs.
 */
export function isFinished(
  directory: StateDirectory,
  config: Config,
  context: CliContext,
): boolean {
  if (!hasNothingLeft(directory, config)) return false
  // With --force, the outputs may differ from those of earlier runs.
  const missing = config.force ? [] : missingOutputs(directory.saved?.ledger.positions ?? {})
  for (const name of missing) {
    // A missing folder of bodies or screenshots can't be written again; opening it reports that.
    const folders = [config.saveBodies, config.screenshots]
    if (folders.some((folder) => folder !== undefined && resolve(folder) === name)) continue
    printMessage(`${name}: is missing and will be written again`, context)
  }
  return missing.length === 0
}

/** Prints that a stored crawl is finished, and what the user can do next. */
export function printFinished(
  directory: StateDirectory,
  config: Config,
  context: CliContext,
): void {
  const { path, saved } = directory
  const { visits: count = 0, round = 1 } = saved?.ledger.tally ?? {}
  const visits = `${countOf(count, 'visit')}${round > 1 ? ` in ${round} rounds` : ''}`
  const failed = countFailed(directory, config)
  const hint =
    failed > 0 ? `; ${countOf(failed, 'URL')} failed that --retry-failed visits again` : ''
  printMessage(
    `${path}: this crawl is finished, with ${visits}${noneDueText(config)}${hint}; ${nextStepText(config)}`,
    context,
  )
}

function nextStepText({ revisitAfter }: Config): string {
  const another = 'another --state begins a new crawl'
  return revisitAfter === undefined
    ? `--revisit-after <duration> visits its pages again, and ${another}`
    : another
}

function noneDueText({ revisitAfter, retryFailed }: Config): string {
  if (revisitAfter !== undefined) return ', none of which is due'
  return retryFailed ? ', none of which failed for a reason that may have passed' : ''
}
