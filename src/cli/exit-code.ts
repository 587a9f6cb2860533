import type { FailureKind } from '../errors.ts'

/** Exit codes of the process. */
export const EXIT_CODE = {
  done: 0,
  unexpected: 1,
  usage: 2,
  noSeed: 3,
  hostGivenUp: 4,
  output: 5,
  state: 6,
  redis: 7,
  broken: 8,
  differs: 9,
  interrupted: 130,
} as const
export type ExitName = keyof typeof EXIT_CODE

/** Meanings of the exit codes, for help and docs. */
export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  done: 'Done; limits reached and a closed pipe included.',
  unexpected: 'An unexpected error.',
  usage: 'The command line or the config is wrong.',
  noSeed: 'No seed could be fetched.',
  hostGivenUp: 'A host that had answered was given up; its URLs can be tried again.',
  output: 'The output could not be written.',
  state: "The directory of --state can't be used, or another process uses it.",
  redis: "A Redis server of --frontier can't be reached, or refuses.",
  broken: 'crawl check found broken links.',
  differs: 'crawl diff --exit-code found differences.',
  interrupted: 'Interrupted by SIGINT, SIGTERM or SIGHUP.',
}

/** Exit codes by kind of CrawlerError. */
export const EXIT_CODE_OF = {
  usage: EXIT_CODE.usage,
  output: EXIT_CODE.output,
  state: EXIT_CODE.state,
  redis: EXIT_CODE.redis,
} as const satisfies Record<FailureKind, number>
