import { readFile } from 'node:fs/promises'
import { CrawlerError } from '../errors.ts'

/** Read when no `--config` names another file. */
export const DEFAULT_FILE = 'crawler.config.json'

/**
 * The JSON object in `file`, not yet validated.
 * Without a name: that of `DEFAULT_FILE`, or an empty one when there is no such file.
 * @throws CrawlerError('usage') when it can't be read or isn't JSON
 */
export async function readConfigFile(file: string | undefined): Promise<object> {
  const name = file ?? DEFAULT_FILE
  const text = await readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (file === undefined && error.code === 'ENOENT') return '{}'
    throw new CrawlerError('usage', `${name}: expected a readable JSON file, got ${error.code}`)
  })
  const value = parse(text.replace(/^\uFEFF/, ''), name)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
  throw new CrawlerError('usage', `${name}: expected a JSON object, got ${kind}`)
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error)
    throw new CrawlerError('usage', `${name}: expected JSON, got a syntax error: ${reason}`)
  }
}
