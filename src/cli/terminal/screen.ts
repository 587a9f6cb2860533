import { clearLine, clearScreenDown, cursorTo, moveCursor } from 'node:readline'
import { Writable } from 'node:stream'
import type { Extent, TextStream } from '../cli-context.ts'

/**
 * Some lines at the bottom of a terminal that are drawn anew in place; what else is written scrolls
 * above them. The cursor stays where people expect it, in the line below, so there is nothing to be
 * undone when the process ends in whatever way.
 */
export class Screen {
  readonly #terminal: TextStream
  #lines: readonly string[] = []

  constructor(terminal: TextStream) {
    this.#terminal = terminal
  }

  /** @param lines of characters that take one column each, and none that moves the cursor */
  draw(lines: readonly string[]): void {
    const terminal = this.#terminal
    // In one piece: half a frame would flicker.
    terminal.cork()
    // Not where it was left: a Ctrl-C is echoed.
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

  /** A stream like another one of this terminal; whole lines written to it scroll above ours. */
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

  /** From the cursor on. What is cleared from the first line on, tmux keeps in its history. */
  #clear(): void {
    clearLine(this.#terminal, 0)
    moveCursor(this.#terminal, 0, 1)
    clearScreenDown(this.#terminal)
    moveCursor(this.#terminal, 0, -1)
  }

  /** Lines that the terminal has taken: where it became narrower, it has broken some in two. */
  get #height(): number {
    const { columns } = extentOf(this.#terminal)
    const taken = this.#lines.map(({ length }) => Math.max(1, Math.ceil(length / columns)))
    return taken.reduce((sum, height) => sum + height, 0)
  }
}

/** Characters and lines that a terminal has; one that doesn't know is taken for the usual one. */
export function extentOf({ columns, rows }: TextStream): Extent {
  return { columns: columns || 80, rows: rows || 24 }
}
