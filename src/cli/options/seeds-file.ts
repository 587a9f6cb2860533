import { createInterface } from 'node:readline'
import { openText } from '../../compression/open-text.ts'
import { CrawlerError } from '../../errors.ts'

/**
 * Reads seeds from a file, compressed or not, or, for `-`, from `stdin`: one per line, without empty lines, `#`
 * comments and repeated lines.
 * @throws CrawlerError('usage') when it can't be read
 */
export async function readSeeds(file: string, stdin: NodeJS.ReadableStream): Promise<string[]> {
  const seeds = new Set<string>()
  for await (const seed of urlLines(file, stdin)) seeds.add(seed)
  return [...seeds]
}

/**
 * Reads URLs from a file, compressed or not, or, for `-`, from `stdin`: one per line, without empty lines and `#`
 * comments.
 * @throws CrawlerError('usage') when it can't be read
 */
export async function* urlLines(
  file: string,
  stdin: NodeJS.ReadableStream,
): AsyncGenerator<string> {
  try {
    const input = file === '-' ? stdin : await openText(file)
    for await (const line of createInterface({ input })) {
      const url = line.trim()
      if (url !== '' && !url.startsWith('#')) yield url
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CrawlerError('usage', `--seeds: expected a readable file, got \`${file}\`: ${reason}`)
  }
}
