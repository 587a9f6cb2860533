import type { TextSource } from '../../compressed-files/open-text.ts'
import { CrawlerError } from '../../errors.ts'
import type { CliContext } from '../cli-context.ts'

const STDIN = '-'

/** Returns the source to read for a file name; `-` is stdin. */
export function textInput(name: string, { stdin }: Pick<CliContext, 'stdin'>): TextSource {
  return name === STDIN ? { name: 'stdin', stream: stdin } : name
}

/**
 * Refuses a second `-`, since stdin can be read only once.
 * @param names file names, each by its flag or argument
 * @throws CrawlerError('usage')
 */
export function checkOneStdin(names: Readonly<Record<string, string | undefined>>): void {
  const [first, second] = Object.keys(names).filter((label) => names[label] === STDIN)
  if (second === undefined) return
  throw new CrawlerError('usage', `${second}: expected a file, since stdin is already ${first}`)
}
