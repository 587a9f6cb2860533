import { open, stat } from 'node:fs/promises'
import { NestingError, parseBoundedJson } from '../bounded-json.ts'
import { kindOfJson } from '../english-text.ts'
import { CrawlerError, foundInstead, messageOf } from '../errors.ts'

/** The config file that is read if `--config` names no other. */
export const DEFAULT_FILE = 'crawler.config.json'
/** Size limit of a config file that the user didn't name. */
const MAX_FOUND_BYTES = 2 ** 20
/** Size limit of a config file that the user named, which may have very many seeds. */
const MAX_NAMED_BYTES = 2 ** 26

/**
 * Returns the JSON object in `file`, not yet validated.
 * @throws CrawlerError('usage') when the file can't be read or isn't JSON
 */
export async function readConfigFile(file: string): Promise<object> {
  const text = await readBounded(file).catch((error) => {
    throw unreadable(file, error)
  })
  if (text === undefined) {
    throw new CrawlerError('usage', `${file}: expected a JSON file of at most 64 MiB`)
  }
  const value = parseJson(text, file)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new CrawlerError('usage', `${file}: expected a JSON object, got ${kindOfJson(value)}`)
}

/** Returns the text of a file, which may be a pipe; undefined if it is too large. */
async function readBounded(file: string): Promise<string | undefined> {
  const handle = await open(file)
  const chunks: Buffer[] = []
  let left = MAX_NAMED_BYTES
  for await (const chunk of handle.createReadStream({ highWaterMark: 2 ** 16 })) {
    left -= chunk.length
    if (left < 0) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Returns the JSON object in `DEFAULT_FILE`, or an empty one if there is no such file. The file may
 * be a stranger's, so it is not read if it is large, or no regular file and perhaps endless.
 * @throws CrawlerError('usage') as `readConfigFile`
 */
export async function findConfigFile(): Promise<object> {
  const found = await stat(DEFAULT_FILE).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw unreadable(DEFAULT_FILE, error)
  })
  if (found === undefined) return {}
  if (found.isFile() && found.size <= MAX_FOUND_BYTES) return readConfigFile(DEFAULT_FILE)
  const message = `${DEFAULT_FILE}: expected a file of at most 1 MiB; --config names another one`
  throw new CrawlerError('usage', message)
}

function unreadable(file: string, error: unknown): CrawlerError {
  const found = foundInstead(error)
  return new CrawlerError('usage', `${file}: expected a readable JSON file, got ${found}`)
}

/** The byte order mark of UTF-16, read as UTF-8. PowerShell 5 writes it to a file that stdout is redirected to. */
const UTF_16 = /^\ufffd\ufffd/

/**
 * Parses a JSON file, which may begin with a byte order mark.
 * @throws CrawlerError('usage') naming the file, but quoting nothing from it
 */
export function parseJson(text: string, name: string): unknown {
  try {
    return parseBoundedJson(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof NestingError) throw new CrawlerError('usage', `${name}: ${error.message}`)
    if (UTF_16.test(text)) {
      throw new CrawlerError('usage', `${name}: expected JSON in UTF-8, got text in UTF-16`)
    }
    // Drop the piece of the file that V8 may quote: it may contain a password.
    const message = messageOf(error).replace(/, (?:\.{3})?".*/s, '')
    const reason = message.replace(/\s+/g, ' ')
    throw new CrawlerError('usage', `${name}: expected JSON, got a syntax error: ${reason}`)
  }
}
