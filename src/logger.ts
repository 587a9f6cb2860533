import { type Logger, pino, stdTimeFunctions } from 'pino'
import { escapeControls, replaceControls } from './printable-text.ts'

export type { Logger }

export interface LoggerOptions {
  readonly level: string
  /** stderr in the CLI, so that stdout carries visits only. */
  readonly stream: NodeJS.WritableStream
  /** True to write lines for people; false to write one JSON object per line. */
  readonly pretty: boolean
  /** True to color the lines for people. */
  readonly colors?: boolean
}

/** Creates the log of a crawl. */
export async function createLogger({
  level,
  stream,
  pretty,
  colors,
}: LoggerOptions): Promise<Logger> {
  if (!pretty) return createJsonLogger(level, stream)
  return pino(optionsOf(level), await prettyStream(stream, colors))
}

/** Creates a log of JSON lines. */
export function createJsonLogger(level: string, stream: NodeJS.WritableStream): Logger {
  return pino(optionsOf(level), jsonStream(stream))
}

function optionsOf(level: string) {
  const serializers = { err: describeError }
  return { level, base: null, timestamp: stdTimeFunctions.isoTime, serializers }
}

/** Returns a logger that writes nothing. */
export function silentLogger(): Logger {
  // Without a stream of its own, it would open stdout and listen for the end of the process.
  return pino({ enabled: false }, { write: () => undefined })
}

/**
 * Escapes control characters: messages may quote a site, which must not move the cursor of a
 * terminal.
 */
function jsonStream(stream: NodeJS.WritableStream) {
  return { write: (line: string) => void stream.write(escapeControls(line)) }
}

/** Returns the properties of an error that help users. Its stack doesn't. */
function describeError(error: Error & { readonly code?: unknown }): object {
  const { name: type, message, code } = error
  return { type, message, ...(code !== undefined && { code }) }
}

async function prettyStream(destination: NodeJS.WritableStream, colorize = true) {
  // Loaded only when needed, so that scripts don't pay for it.
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    destination,
    colorize,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
    messageFormat: (line, key) => replaceControls(String(line[key] ?? '')),
  })
}
