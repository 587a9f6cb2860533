import { type Comparison, compareVisits, type Difference, describe, encodeJson } from '../index.ts'
import type { DiffFlags } from './diff-command.ts'
import { EXIT_CODE } from './exit-code.ts'
import { print, printLines, tellError } from './print.ts'
import type { World } from './world.ts'

/** Carries out `crawl diff`; gives the exit code. */
export async function runDiff(
  before: string,
  after: string,
  flags: DiffFlags,
  world: World,
): Promise<number> {
  try {
    const comparison = await compareVisits(before, after)
    try {
      return await show(comparison, flags, world)
    } finally {
      comparison.close()
    }
  } catch (error) {
    return tellError(error, world)
  }
}

async function show(comparison: Comparison, flags: DiffFlags, world: World): Promise<number> {
  let isEqual = true
  function* watched(): Generator<Difference> {
    for (const difference of comparison.differences) {
      isEqual = false
      yield difference
    }
  }
  const differences = watched()
  if (flags.json) await printLines(encoded(differences), world)
  else await print(describe({ urls: comparison.urls, differences }), world)
  return flags.exitCode && !isEqual ? EXIT_CODE.differs : EXIT_CODE.done
}

function* encoded(differences: Iterable<Difference>): Generator<string> {
  for (const difference of differences) yield encodeJson(difference)
}
