import { readFileSync } from 'node:fs'

/** The line before each source file in a bundle. */
const FILE = /^\/\/ (src\/\S+)$/

/** Finds the source file of a line in a bundle. */
export class Bundle {
  readonly #starts: { readonly line: number; readonly file: string }[] = []

  constructor(path: string | URL) {
    for (const [line, text] of readFileSync(path, 'utf8').split('\n').entries()) {
      const file = FILE.exec(text)?.[1]
      if (file !== undefined) this.#starts.push({ line, file })
    }
  }

  /** @param line index of the line, from 0 */
  fileAt(line: number): string | undefined {
    return this.#starts.findLast((start) => start.line <= line)?.file
  }
}
