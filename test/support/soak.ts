/** True in `npm run test:soak`, which runs all rows of the tables that `npm test` has some of. */
export const IN_SOAK = process.env['SOAK'] !== undefined

/** Returns rows of a table of tests: all of them in a soak, else those that stand for the others. */
export function chosen<T>(rows: readonly T[], isChosen: (row: T, index: number) => boolean): T[] {
  return rows.filter((row, index) => IN_SOAK || isChosen(row, index))
}

/** Returns how many cases a test draws at random: all in a soak, else a quarter, since each run draws others. */
export function randomCases(all: number): number {
  return IN_SOAK ? all : all / 4
}
