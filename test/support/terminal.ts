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

/** What a terminal shows: the screen of xterm, without its window. */
export class Terminal {
  readonly #screen: InstanceType<typeof xterm.Terminal>
  /** Rows of the screen from which it was cleared to its end. */
  readonly clears: number[] = []
  #raw = ''

  constructor({ columns: cols, rows }: Size) {
    this.#screen = new xterm.Terminal({ cols, rows, allowProposedApi: true, convertEol: true })
    this.#screen.parser.registerCsiHandler({ final: 'J' }, () => {
      this.clears.push(this.#screen.buffer.active.cursorY)
      return false
    })
  }

  /** All lines, those that scrolled away included, without space at their ends. */
  get lines(): readonly string[] {
    const { active } = this.#screen.buffer
    const all = Array.from({ length: active.length }, (_, at) => active.getLine(at))
    return all.map((line) => line?.translateToString(true) ?? '')
  }

  /** Whether there is a cursor, and in which column. */
  get cursor(): { readonly isShown: boolean; readonly column: number } {
    const isShown = this.#raw.lastIndexOf('\u001b[?25l') <= this.#raw.lastIndexOf('\u001b[?25h')
    return { isShown, column: this.#screen.buffer.active.cursorX }
  }

  /** Resolves when it is shown. */
  write(text: string): Promise<void> {
    this.#raw += text
    return new Promise((resolve) => this.#screen.write(text, resolve))
  }

  /** Lines that became too long go on in the next one. */
  resize({ columns, rows }: Size): void {
    this.#screen.resize(columns, rows)
  }

  /** For code that writes to a terminal, which takes all at once. */
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
  /** Resolves when something holds of the lines, looked at after each piece of output. */
  until(holds: (lines: readonly string[]) => boolean): Promise<void>
  /** Types on its keyboard. */
  type(keys: string): void
  /** Resolves to the exit code, when all is shown. */
  readonly ended: Promise<number>
}

/**
 * Runs the real `crawl` command in a pseudo-terminal, by script(1).
 * @param behind what a shell is given behind the command, such as a pipe and its reader
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
