import { type LevelWithSilent, type Logger, pino, stdTimeFunctions } from 'pino'
import { CrawlerError } from './errors.ts'
import { escapeControls, replaceControls } from './printable-text.ts'

export type { Logger }

export interface LoggerOptions {
  /** Least important lines to write. */
  readonly level: LevelWithSilent
  /** Receives the lines: stderr in the CLI, so that stdout carries visits only. */
  readonly stream: NodeJS.WritableStream
  /** True to write lines for people. By default, each line is a JSON object. */
  readonly pretty?: boolean | undefined
  /** True to color the lines for people; by default, they are colored if the stream is a terminal. */
  readonly colors?: boolean | undefined
}

/**
 * Creates the log of a crawl.
 * @throws CrawlerError('usage') for an unknown level, or a stream that can't be written to
 */
export async function createLogger({
  level,
  stream,
  pretty,
  colors,
}: LoggerOptions): Promise<Logger> {
  if (!LEVELS.includes(level)) {
    throw new CrawlerError('usage', `level: expected one of ${LEVELS.join(', ')}, got \`${level}\``)
  }
  if (typeof stream?.write !== 'function') {
    throw new CrawlerError('usage', 'stream: expected a writable stream, such as process.stderr')
  }
  if (!pretty) return createJsonLogger(level, stream)
  return pino(optionsOf(level), await prettyStream(stream, colors))
}

const LEVELS = [...Object.keys(pino.levels.values), 'silent']

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

async function prettyStream(
  destination: NodeJS.WritableStream,
  colorize = 'isTTY' in destination && destination.isTTY === true,
) {
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
