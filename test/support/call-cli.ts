import { Readable, Writable } from 'node:stream'
import type { CliContext } from '../../src/cli/cli-context.ts'
import { main } from '../../src/cli/main.ts'
import { type CrawlRun, EndedRun, oneWorker } from './run-cli.ts'

/** Ways to end a run before its crawl is done, after a number of lines on stdout. */
export interface Ending {
  readonly interruptAfter?: number
  /** Interrupts the run when this resolves. */
  readonly interruptWhen?: Promise<unknown>
  /** Called after the run was interrupted. */
  readonly onInterrupted?: () => void
  readonly leaveAfter?: number
  /** True if stdout is a terminal. */
  readonly isTerminal?: boolean
}

/** The environment of a run. */
interface Surroundings {
  /** The working directory of the whole process, so no other test may run meanwhile. */
  readonly cwd?: string
  /** Environment variables that the command line reads itself; none by default. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs the command line within this process, with its own streams, and waits for its end. It returns the same as
 * `runCrawl` in half the time. Not suitable for signals, pipes, terminals, and several processes.
 */
export async function callCrawl(
  args: readonly string[],
  stdin = '',
  options: Ending & Surroundings = {},
): Promise<CrawlRun> {
  const { interruptAfter, interruptWhen, onInterrupted, leaveAfter, cwd, env } = options
  const interrupted = Promise.withResolvers<void>()
  void interruptWhen?.then(() => interrupted.resolve())
  const [stdout, stderr] = [new Kept(leaveAfter), new Kept()]
  stdout.onLines = (count) => count >= (interruptAfter ?? Infinity) && interrupted.resolve()
  const context: CliContext = {
    args: oneWorker(args),
    stdin: Readable.from([stdin]),
    stdout: Object.assign(stdout, { isTTY: options.isTerminal ?? false }),
    stderr,
    messageForm: { isJson: false },
    ...(env === undefined ? {} : { environment: env }),
    canMoveCursor: false,
    onInterrupt: (callback) => {
      let isHeeded = true
      interrupted.promise.then(() => isHeeded && callback()).then(onInterrupted)
      return () => {
        isHeeded = false
      }
    },
    exit: (code) => {
      throw new Error(`ended at once, with ${code}`)
    },
  }
  const code = await (cwd === undefined ? main(context) : mainIn(cwd, context))
  return new EndedRun(code, stdout.text, stderr.text)
}

/** Runs the command line in a directory. */
async function mainIn(directory: string, context: CliContext): Promise<number> {
  const before = process.cwd()
  process.chdir(directory)
  try {
    return await main(context)
  } finally {
    process.chdir(before)
  }
}

/** A stream that collects what is written to it, until its reader leaves. */
class Kept extends Writable {
  readonly #leaveAfter: number
  text = ''
  onLines: (count: number) => void = () => {}

  constructor(leaveAfter = Number.POSITIVE_INFINITY) {
    super({ decodeStrings: false })
    this.#leaveAfter = leaveAfter
  }

  override _write(chunk: string | Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    this.text += chunk
    const lines = this.text.split('\n').length - 1
    this.onLines(lines)
    if (lines < this.#leaveAfter) done()
    else done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }))
  }
}
