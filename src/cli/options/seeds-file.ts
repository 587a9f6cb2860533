import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CrawlerError } from '../../errors.ts'

/**
 * Reads seeds from a file or, for `-`, from `stdin`: one per line, without empty lines and `#`
 * comments.
 * @throws CrawlerError('usage') when it can't be read
 */
export async function readSeeds(file: string, stdin: NodeJS.ReadableStream): Promise<string[]> {
  const seeds: string[] = []
  try {
    for await (const line of createInterface({
      input: file === '-' ? stdin : createReadStream(file),
    })) {
      const seed = line.trim()
      if (seed !== '' && !seed.startsWith('#')) seeds.push(seed)
    }
    return seeds
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CrawlerError('usage', `--seeds: expected a readable file, got \`${file}\`: ${reason}`)
  }
}
