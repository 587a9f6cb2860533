import { createInterface } from 'node:readline'
import { openText } from '../../compressed-files/open-text.ts'
import { CrawlerError, foundInstead, messageOf } from '../../errors.ts'
import { parseSeed } from '../../url/seed.ts'

/** The seeds of a file, and how many of its lines were repeated. */
interface ReadSeeds {
  readonly seeds: readonly string[]
  readonly repeatedSeeds: number
}

/**
 * Reads seeds from a file, compressed or not, or, for `-`, from `stdin`: one per line, without empty lines, `#`
 * comments and repeated lines. No seeds without a file.
 * @throws CrawlerError('usage') when it can't be read
 */
export async function readSeeds(
  file: string | undefined,
  stdin: NodeJS.ReadableStream,
): Promise<ReadSeeds> {
  if (file === undefined) return { seeds: [], repeatedSeeds: 0 }
  const seeds = new Set<string>()
  let lines = 0
  for await (const seed of urlLines(file, stdin)) {
    checkSeed(seed, file)
    seeds.add(seed)
    lines++
  }
  return { seeds: [...seeds], repeatedSeeds: lines - seeds.size }
}

function checkSeed(seed: string, file: string): void {
  try {
    parseSeed(seed)
  } catch (error) {
    throw new CrawlerError('usage', `${file === '-' ? '--seeds' : file}: ${messageOf(error)}`)
  }
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
    const name = file === '-' ? '--seeds' : file
    const found = foundInstead(error)
    throw new CrawlerError('usage', `${name}: expected a readable file of URLs, got ${found}`)
  }
}
