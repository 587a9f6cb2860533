import { clearLine, clearScreenDown, cursorTo, moveCursor } from 'node:readline'
import { Writable } from 'node:stream'
import { isPipe } from '../../output/file-identity.ts'
import type { CliContext, TerminalSize, TextStream } from '../cli-context.ts'

/**
 * Redraws some lines at the bottom of a terminal in place; other output scrolls above them. The
 * cursor stays in the line below, where people expect it, so nothing has to be undone when the
 * process ends in any way.
 */
export class Screen {
  readonly #terminal: TextStream
  #lines: readonly string[] = []

  constructor(terminal: TextStream) {
    this.#terminal = terminal
  }

  /** @param lines consist of characters that are one column wide, without control characters */
  draw(lines: readonly string[]): void {
    const terminal = this.#terminal
    // Written at once: half a frame would flicker.
    terminal.cork()
    // The cursor may have moved: Ctrl-C is echoed.
    cursorTo(terminal, 0)
    const height = this.#height
    moveCursor(terminal, 0, -height)
    for (const line of lines) {
      terminal.write(line)
      clearLine(terminal, 1)
      terminal.write('\n')
    }
    if (lines.length === 0 && height > 0) this.#clear()
    else clearScreenDown(terminal)
    terminal.uncork()
    this.#lines = lines
  }

  /** Returns a stream to this terminal; whole lines written to it scroll above the screen. */
  above(stream: NodeJS.WritableStream): Writable {
    return new Writable({
      decodeStrings: false,
      write: (chunk: string, encoding, done) => {
        const lines = this.#lines
        this.draw([])
        stream.write(chunk, encoding, done)
        this.draw(lines)
      },
    })
  }

  /**
   * Clears the terminal from the cursor on: first the line of the cursor, then the lines below. One
   * step that starts in the first line of the terminal would leave the cleared lines in tmux's history.
   */
  #clear(): void {
    clearLine(this.#terminal, 0)
    moveCursor(this.#terminal, 0, 1)
    clearScreenDown(this.#terminal)
    moveCursor(this.#terminal, 0, -1)
  }

  /** Number of lines that the view takes on the terminal. If that became narrower, it has wrapped some lines. */
  get #height(): number {
    const { columns } = terminalSize(this.#terminal)
    const taken = this.#lines.map(({ length }) => Math.max(1, Math.ceil(length / columns)))
    return taken.reduce((sum, height) => sum + height, 0)
  }
}

/**
 * Returns whether another program may write to the terminal meanwhile, as `jq` does in a pipeline. A screen would
 * overwrite its lines. Only a pipe can lead to another program.
 * @param files names or descriptors of the files that are read or written, besides stdout
 */
export function sharesTerminal(
  { stdout }: Pick<CliContext, 'stdout'>,
  files: readonly (string | number)[],
): boolean {
  return [stdout.fd, ...files].some((file) => file !== undefined && isPipe(file))
}

/** Returns the size of a terminal, 80 by 24 if unknown. */
export function terminalSize({ columns, rows }: TextStream): TerminalSize {
  return { columns: columns || 80, rows: rows || 24 }
}
