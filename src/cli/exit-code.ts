import type { FailureKind } from '../errors.ts'

/** Exit codes of the process. */
export const EXIT_CODE = {
  /** Done; limits reached and a closed pipe included. */
  done: 0,
  /** An unexpected error. */
  unexpected: 1,
  /** The command line or the config is wrong. */
  usage: 2,
  /** No seed could be fetched. */
  noSeed: 3,
  /** A host that had answered was given up; its URLs can be tried again. */
  hostGivenUp: 4,
  /** The output could not be written. */
  output: 5,
  /** The directory of --state can't be used, or another process uses it. */
  state: 6,
  /** A Redis server of --frontier can't be reached, or refuses. */
  redis: 7,
  /** `crawl check` found broken links. */
  broken: 8,
  /** `crawl diff --exit-code` found differences. */
  differs: 9,
  /** Interrupted by SIGINT, SIGTERM or SIGHUP. */
  interrupted: 130,
} as const

/** Exit codes by kind of CrawlerError. */
export const EXIT_CODE_OF = {
  usage: EXIT_CODE.usage,
  output: EXIT_CODE.output,
  state: EXIT_CODE.state,
  redis: EXIT_CODE.redis,
} as const satisfies Record<FailureKind, number>
