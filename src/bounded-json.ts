/** Maximum levels of nested lists and objects. Recursive functions, such as `JSON.stringify`, overflow the stack at some thousands. */
const MAX_LEVELS = 1_000
/** Characters of the shortest text that may nest deeper: a bracket at each end of a level. */
const MIN_DEEP_TEXT = 2 * MAX_LEVELS

/** Thrown for JSON that nests too deeply. */
export class NestingError extends Error {
  override readonly name = 'NestingError'

  constructor() {
    super('expected JSON with at most 1,000 nested lists and objects, got more')
  }
}

/**
 * Parses JSON from a file, a database or a server, which may be hostile.
 * @throws NestingError when lists and objects nest more than `MAX_LEVELS` levels deep, SyntaxError when it is not JSON
 */
export function parseBoundedJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (text.length > MIN_DEEP_TEXT && nestsDeeper(value, MAX_LEVELS)) throw new NestingError()
  return value
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((each) => nestsDeeper(each, levels - 1))
}
