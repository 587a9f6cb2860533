import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import xterm from '@xterm/headless'
import { onTestFinished } from 'vitest'
import { BIN } from './run-cli.ts'

interface Size {
  readonly columns: number
  readonly rows: number
}

/** The content of a terminal: the screen of xterm, without its window. */
export class Terminal {
  readonly #screen: InstanceType<typeof xterm.Terminal>
  /** Rows from which the screen was cleared to its end. */
  readonly clears: number[] = []
  #raw = ''

  constructor({ columns: cols, rows }: Size) {
    this.#screen = new xterm.Terminal({ cols, rows, allowProposedApi: true, convertEol: true })
    this.#screen.parser.registerCsiHandler({ final: 'J' }, () => {
      this.clears.push(this.#screen.buffer.active.cursorY)
      return false
    })
  }

  /** All lines, including those that scrolled away, without trailing spaces. */
  get lines(): readonly string[] {
    const { active } = this.#screen.buffer
    const all = Array.from({ length: active.length }, (_, at) => active.getLine(at))
    return all.map((line) => line?.translateToString(true) ?? '')
  }

  /** All text that was written, with its control sequences. */
  get written(): string {
    return this.#raw
  }

  /** The visibility and the column of the cursor. */
  get cursor(): { readonly isShown: boolean; readonly column: number } {
    const isShown = this.#raw.lastIndexOf('\u001b[?25l') <= this.#raw.lastIndexOf('\u001b[?25h')
    return { isShown, column: this.#screen.buffer.active.cursorX }
  }

  /** Writes text. Resolves when it is shown. */
  write(text: string): Promise<void> {
    this.#raw += text
    return new Promise((resolve) => this.#screen.write(text, resolve))
  }

  /** Changes the size. Lines that become too long are wrapped. */
  resize({ columns, rows }: Size): void {
    this.#screen.resize(columns, rows)
  }

  /** Returns a stream for code that writes to a terminal. */
  stream(size: Size): Writable & Size {
    const write = (text: Buffer, _: unknown, done: () => void) => {
      void this.write(`${text}`)
      done()
    }
    return Object.assign(new Writable({ write }), size)
  }
}

interface RunningTerminal {
  readonly terminal: Terminal
  /** Resolves when a condition on the lines is true. It is checked after each piece of output. */
  until(holds: (lines: readonly string[]) => boolean): Promise<void>
  /** Types on its keyboard. */
  type(keys: string): void
  /** Resolves to the exit code, when all output is shown. */
  readonly ended: Promise<number>
}

/**
 * Runs the real `crawl` command in a pseudo-terminal, by script(1).
 * @param behind text after the command in a shell, such as a pipe and its reader
 */
export function runInTerminal(args: readonly string[], size: Size, behind = ''): RunningTerminal {
  const terminal = new Terminal(size)
  const command = [process.execPath, BIN, ...args].map((each) => `'${each}'`).join(' ')
  const whole = behind === '' ? `exec ${command}` : `${command} ${behind}`
  const setUp = `stty cols ${size.columns} rows ${size.rows}; ${whole}`
  const env = { ...process.env, TERM: 'xterm', SHELL: '/bin/bash' }
  const child = spawn('script', ['-qefc', setUp, '/dev/null'], { env })
  onTestFinished(() => void child.kill())
  const waiting = new Set<() => void>()
  let shown = Promise.resolve()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown = terminal.write(text)
    void shown.then(() => {
      for (const look of waiting) look()
    })
  })
  return {
    terminal,
    async until(holds) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => holds(terminal.lines) && resolve()
      waiting.add(look)
      look()
      await promise
      waiting.delete(look)
    },
    type: (keys) => void child.stdin.write(keys),
    ended: once(child, 'close').then(([code]) => shown.then(() => Number(code))),
  }
}
