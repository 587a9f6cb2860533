import { readFileSync } from 'node:fs'

/** The line that a bundle has before each file of the source. */
const FILE = /^\/\/ (src\/\S+)$/

/** Tells which file of the source a line of a built one comes from. */
export class Bundle {
  readonly #starts: { readonly line: number; readonly file: string }[] = []

  constructor(path: string | URL) {
    for (const [line, text] of readFileSync(path, 'utf8').split('\n').entries()) {
      const file = FILE.exec(text)?.[1]
      if (file !== undefined) this.#starts.push({ line, file })
    }
  }

  /** @param line from 0 */
  fileAt(line: number): string | undefined {
    return this.#starts.findLast((start) => start.line <= line)?.file
  }
}
