import { CrawlerError, FAILURE_KINDS, type FailureKind } from '../../errors.ts'

/** Maximum characters of an error's message. */
const MAX_MESSAGE = 1_000

/**
 * Returns an Error for the value that ended a thread, which may be anything that users' code throws. Returns a
 * CrawlerError if the thread threw one, since errors lose their class between threads.
 */
export function threadError(thrown: unknown): Error {
  const message = messageOf(thrown).slice(0, MAX_MESSAGE)
  const kind = kindOf(thrown)
  const options = { cause: thrown }
  return kind === undefined ? new Error(message, options) : new CrawlerError(kind, message, options)
}

function kindOf(thrown: unknown): FailureKind | undefined {
  const isOurs = hasMessage(thrown) && thrown.name === 'CrawlerError' && 'kind' in thrown
  return isOurs ? FAILURE_KINDS.find((kind) => kind === thrown.kind) : undefined
}

function messageOf(thrown: unknown): string {
  const text: unknown = hasMessage(thrown) ? thrown.message : thrown
  return typeof text === 'object' && text !== null ? 'an object was thrown' : String(text)
}

/** Errors of threads are copies: in Jest, they are errors neither by their class nor for V8. */
function hasMessage(thrown: unknown): thrown is Pick<Error, 'message' | 'name'> {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown
}

/** Returns the error for workers that die one after the other while they start. */
export function failedStartError(hooks: string | undefined, error: Error): CrawlerError {
  if (hooks !== undefined) return hooksError(hooks, error)
  const message = `workers: expected threads that can run, got none: ${error.message}`
  return new CrawlerError('usage', message)
}

/** Returns the error for a module of hooks that ends workers before they have fetched a page. */
export function hooksError(hooks: string, { message }: Error): CrawlerError {
  const expected = 'expected a module that does not end its worker'
  return new CrawlerError('usage', `hooks: ${expected}, got ${hooks}: ${message}`)
}
