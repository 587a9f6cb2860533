import { CrawlerError, reasonNotToWrite } from '../errors.ts'
import { isDamage } from '../state/explain-state-error.ts'

/** @param name of the file or folder that can't be written */
export function outputError(name: string, cause: unknown): CrawlerError {
  return new CrawlerError('output', `${name}: can't be written: ${reasonNotToWrite(cause)}`, {
    cause,
  })
}

/**
 * Returns the error to report for an output. Errors with a message of their own stay unchanged, and so does damage of the
 * database, which its owner reports.
 */
export function asOutputError(name: string, error: unknown): Error {
  return error instanceof CrawlerError || isDamage(error) ? error : outputError(name, error)
}
