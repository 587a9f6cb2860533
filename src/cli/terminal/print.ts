import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { styleText } from 'node:util'
import { CrawlerError, codeOf, messageOf } from '../../errors.ts'
import { createJsonLogger } from '../../logger.ts'
import { outputError } from '../../output/output-error.ts'
import { isReaderGone } from '../../output/stream-output.ts'
import { replaceControls, replaceInLines } from '../../printable-text.ts'
import { hideLogins } from '../../secret.ts'
import type { CliContext } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { isColored } from './is-colored.ts'

/** A piece of a line with a color for terminals. */
interface ColoredText {
  readonly text: string
  readonly color: 'red' | 'yellow' | 'cyan'
}

/** A line without its line feed, whole or in pieces. */
export type PrintedLine = string | readonly (string | ColoredText)[]

/**
 * Writes lines to stdout one by one. They may quote sites, servers and databases, so control
 * characters are replaced. It is not an error if the reader of stdout has closed it.
 * @throws CrawlerError('output') when stdout can't be written, such as on a full disk
 */
export function printLines(
  lines: Iterable<PrintedLine>,
  context: CliContext,
  hasColors = isColored(context.stdout, context),
): Promise<void> {
  return write(lines, (line) => `${[line].flat().map(rendered).join('')}\n`, context.stdout)

  function rendered(piece: string | ColoredText): string {
    if (typeof piece === 'string') return replaceControls(piece)
    const text = replaceControls(piece.text)
    return hasColors ? styleText(piece.color, text, { validateStream: false }) : text
  }
}

/** Writes texts that contain their line feeds to stdout, otherwise like `printLines`. */
export function print(texts: Iterable<string>, { stdout }: CliContext): Promise<void> {
  return write(texts, replaceInLines, stdout)
}

async function write<T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  stdout: NodeJS.WritableStream,
): Promise<void> {
  function* texts(): Generator<string> {
    for (const item of items) yield textOf(item)
  }
  try {
    await pipeline(Readable.from(texts()), stdout, { end: false })
    // The pipeline doesn't wait for the last write.
    await new Promise<void>((resolve, reject) => {
      stdout.write('', (error) => (error ? reject(error) : resolve()))
    })
  } catch (error) {
    if (isReaderGone(error) || CLOSED.has(codeOf(error))) return
    const isWriting = error instanceof Error && 'syscall' in error && error.syscall === 'write'
    throw isWriting ? outputError('stdout', error) : error
  }
}

/** Error codes of a stream that was closed earlier, after its reader had closed it. */
const CLOSED: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/**
 * Prints a message to stderr, as text or as a line of the JSON log. The message may quote a site, whose text must not
 * move the cursor, or a URL with a password in an unexpected place.
 * @param exitCode the exit code that the message explains; absent if the message is not an error
 */
export function printMessage(
  message: string,
  { stderr, messageForm }: CliContext,
  exitCode?: number,
): void {
  const lines = hideLogins(message).split('\n')
  if (messageForm.isJson) {
    const logger = createJsonLogger('info', stderr)
    if (exitCode === undefined) logger.info(lines.join('; '))
    else logger.fatal({ exitCode }, lines.join('; '))
  } else for (const line of lines) stderr.write(`crawl: ${replaceControls(line)}\n`)
}

/** Prints an error meant for users; returns its exit code. */
export function printError(error: unknown, context: CliContext): number {
  if (!(error instanceof CrawlerError)) throw error
  const code = EXIT_CODE[error.kind]
  printMessage(error.message, context, code)
  return code
}

/** Arguments that request a detailed log. */
const VERBOSE = /(?:^| )(?:-v+|--verbose|--log-level[= ](?:debug|trace))(?: |$)/

/** Prints an unexpected error, with its stack only for `-v`; returns its exit code. */
export function printUnexpected(
  error: unknown,
  { args, stderr, messageForm }: Pick<CliContext, 'args' | 'stderr' | 'messageForm'>,
): number {
  const stack = hideLogins((error instanceof Error && error.stack) || String(error))
  const isVerbose = VERBOSE.test(args.join(' '))
  const request = isVerbose ? '' : '. Please report this, with what -v shows'
  const message = `unexpected error: ${hideLogins(messageOf(error))}${request}`
  const exitCode = EXIT_CODE.unexpected
  if (messageForm.isJson) {
    const fields = { exitCode, ...(isVerbose && { stack }) }
    createJsonLogger('info', stderr).fatal(fields, message)
  } else {
    stderr.write(`crawl: ${replaceControls(message)}\n`)
    if (isVerbose) stderr.write(`${replaceInLines(stack)}\n`)
  }
  return exitCode
}
