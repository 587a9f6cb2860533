import { CrawlerError } from '../../errors.ts'
import { isSameFile } from '../../output/file-identity.ts'

/**
 * @param inputs files that are read
 * @param name name of a file to write
 * @param target descriptor of that file, if it is open
 * @throws CrawlerError('usage') if the file would overwrite one of the inputs
 */
export function refuseOverwritingInputs(
  inputs: readonly (string | undefined)[],
  name: string,
  target: string | number = name,
): void {
  const same = inputs.find((input) => input !== undefined && isSameFile(input, target))
  if (same === undefined) return
  const message = `${name}: expected a separate file, got the same file as ${same}`
  throw new CrawlerError('usage', message)
}
