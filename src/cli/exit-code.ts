import type { FailureKind } from '../index.ts'

/** What the process tells its caller. */
export const EXIT_CODE = {
  done: 0,
  unexpected: 1,
  usage: 2,
  noSeed: 3,
  output: 5,
  state: 6,
  differs: 9,
  interrupted: 130,
} as const

/** Exit code of a CrawlerError. */
export const EXIT_CODE_OF = {
  usage: EXIT_CODE.usage,
  output: EXIT_CODE.output,
  state: EXIT_CODE.state,
} as const satisfies Record<FailureKind, number>
