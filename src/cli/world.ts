import { endProcess } from './end-process.ts'
import type { TextStream } from './terminal/screen.ts'

/** What the program sees of the process; nothing else in cli/ touches it. */
export interface World {
  /** Arguments, without node and script. */
  readonly args: readonly string[]
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: TextStream
  readonly stderr: TextStream
  /** Environment variables; none when undefined. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Whether a terminal does more than to print. */
  readonly canMoveCursor: boolean
  /** Calls back at SIGINT, SIGTERM and SIGHUP; gives a function that ends this. */
  onInterrupt(callback: () => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

/** Signals that ask a crawl to end; a terminal that is closed sends the last one. */
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export function realWorld(): World {
  return {
    args: process.argv.slice(2),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    canMoveCursor: process.env['TERM'] !== 'dumb',
    onInterrupt(callback) {
      for (const signal of INTERRUPTS) process.on(signal, callback)
      return () => {
        for (const signal of INTERRUPTS) process.off(signal, callback)
      }
    },
    exit: endProcess,
  }
}
