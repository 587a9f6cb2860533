import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import type { Environment } from '../config/environment.ts'
import { isPlainFile } from '../output/file-identity.ts'
import { EXIT_CODE } from './exit-code.ts'
import { endProcess } from './process/end-process.ts'
import { ignoresHangup } from './process/hangup.ts'

/** Size of a terminal. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** A stream of text; a terminal usually knows its size. */
export type TextStream = Writable &
  Partial<TerminalSize> & { readonly isTTY?: boolean; readonly fd?: number }

/** The form of messages on stderr. */
export interface MessageForm {
  /** True if stderr is a log of JSON lines. Messages are then JSON lines, too. */
  isJson: boolean
}

/** The parts of the process that commands use, so that tests can replace them. */
export interface CliContext {
  /** Arguments, without node and script. */
  readonly args: readonly string[]
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: TextStream
  readonly stderr: TextStream
  readonly messageForm: MessageForm
  /** Environment variables; none when undefined. */
  readonly environment?: Environment
  /** True if the terminal can move its cursor. Dumb terminals can't. */
  readonly canMoveCursor: boolean
  /** Calls `callback` on SIGINT, SIGTERM and, unless it is ignored, SIGHUP. Returns a function that ends these calls. */
  onInterrupt(callback: () => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

/** Runs the action of a command: prints its error, if any, and sets the exit code. */
export type RunAction = (action: (context: CliContext) => Promise<number>) => Promise<void>

/** Values of TERM for terminals that can't move the cursor. On Windows, TERM is undefined, and terminals can. */
const CURSORLESS_TERMS: ReadonlySet<string | undefined> = new Set(['', 'dumb', 'unknown'])

/** Signals that end a crawl; closing a terminal sends the last one. */
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Returns the context of this process. */
export function processContext(): CliContext {
  return {
    args: process.argv.slice(2),
    stdin: process.stdin,
    stdout: stdoutStream(),
    stderr: process.stderr,
    messageForm: { isJson: false },
    environment: process.env,
    canMoveCursor: !CURSORLESS_TERMS.has(process.env['TERM']),
    onInterrupt: interruptCalls(interruptSignals()),
    exit: endProcess,
  }
}

/**
 * Returns `onInterrupt`. It never stops listening: Node drops a signal that has arrived but is not delivered yet when
 * its last listener is removed. A signal between two callbacks would be lost, and the crawl would go on. Once there is
 * no callback left, a signal ends the process.
 */
function interruptCalls(signals: readonly NodeJS.Signals[]): CliContext['onInterrupt'] {
  const callbacks = new Set<() => void>()
  const interrupt = () => {
    if (callbacks.size === 0) endProcess(EXIT_CODE.interrupted)
    for (const callback of callbacks) callback()
  }
  let isListening = false
  return (callback) => {
    if (!isListening) for (const signal of signals) process.on(signal, interrupt)
    isListening = true
    callbacks.add(callback)
    return () => void callbacks.delete(callback)
  }
}

/** Returns the signals that end a crawl. If SIGHUP should be ignored, it has no effect from then on. */
function interruptSignals(): readonly NodeJS.Signals[] {
  if (!ignoresHangup(process.env)) return INTERRUPTS
  process.on('SIGHUP', () => {})
  return INTERRUPTS.filter((signal) => signal !== 'SIGHUP')
}

/** Returns stdout. Node's own stream to a file doesn't notice that a full disk stored only a part of a write. */
function stdoutStream(): TextStream {
  const fd = 1
  if (!isPlainFile(fd)) return process.stdout
  return Object.assign(createWriteStream('', { fd, autoClose: false }), { fd })
}
