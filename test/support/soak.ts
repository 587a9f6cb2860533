/** True in `npm run test:soak`, which runs all rows of tables. `npm test` runs some of them. */
export const IN_SOAK = process.env['SOAK'] !== undefined

/** Returns the rows of a test table to run: all of them in a soak, otherwise the representative ones. */
export function chosen<T>(rows: readonly T[], isChosen: (row: T, index: number) => boolean): T[] {
  return rows.filter((row, index) => IN_SOAK || isChosen(row, index))
}

/** Returns the number of random cases of a test: all in a soak, otherwise a quarter, since each run draws others. */
export function randomCases(all: number): number {
  return IN_SOAK ? all : all / 4
}
