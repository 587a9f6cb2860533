import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { withTimeout } from './sync-timeout.ts'

type Matcher = Pick<RegExp, 'exec'>

/** Patterns without loops and with few choices, which are fast for any text. */
const SIMPLE = /^(?:[^*+{(?]*[(?]){0,16}[^*+{(?]*$/

/** Maximum backtracks of the first attempt, which take some microseconds in most cases. Few texts need more. */
const FIRST_BACKTRACKS = 2_000
/** Further backtracks for each character of the pattern, since long patterns take the linear engine longer, too. */
const BACKTRACKS_PER_CHARACTER = 10
/** Maximum length of a text for the first attempt, since each backtrack may read the whole text again. */
const MAX_FIRST_LENGTH = 1_000
/** Time limit in milliseconds for a text that only backtracking can match. */
const MAX_MS = 250
/** Milliseconds per text that are not subtracted from the allowance. Honest texts take less. */
const FREE_MS = 1
/** Milliseconds that all texts of a thread together may take beyond their free time. */
const ALLOWANCE_MS = 20_000

let allowance = ALLOWANCE_MS

/**
 * A regular expression that matches untrusted texts in bounded time. V8's backtracking engine may take years for a
 * short text. After a few thousand backtracks, V8's linear engine is used instead, whose time is proportional to the
 * length of the text. The linear engine supports no look-ahead, back references, modifiers such as `(?i:` or large
 * counted repetitions. Patterns with these continue with backtracking, up to a time limit.
 */
export class BoundedPattern {
  /** The matcher of the first attempt, with a limit of backtracks; undefined for a simple pattern. */
  readonly #first: Matcher | undefined
  readonly #maxFirstLength: number
  readonly #linear: RegExp | undefined
  readonly #backtracking: RegExp

  /** @throws SyntaxError for an invalid regular expression */
  constructor(source: string) {
    this.#backtracking = new RegExp(source)
    this.#maxFirstLength = MAX_FIRST_LENGTH + source.length
    if (SIMPLE.test(source)) return
    this.#linear = linearPattern(source)
    // This expression matches any text: the whole text if the pattern matches, otherwise its empty start. So null means
    // too many backtracks. The expression adds no capturing group, which would change the meaning of `\1`.
    const backtracks = FIRST_BACKTRACKS + BACKTRACKS_PER_CHARACTER * source.length
    this.#first = limitedPattern(`^(?:[^]*?(?:${source})[^]*|)`, backtracks)
  }

  /** Returns whether a text matches; undefined if that would take too long. The text must not be empty. */
  test(text: string): boolean | undefined {
    if (this.#first === undefined) return this.#backtracking.test(text)
    const first = text.length > this.#maxFirstLength ? null : this.#first.exec(text)
    if (first !== null) return first[0] !== ''
    return this.#linear === undefined ? this.#testWithTimeout(text) : this.#linear.test(text)
  }

  #testWithTimeout(text: string): boolean | undefined {
    if (allowance <= 0) return undefined
    const start = performance.now()
    try {
      return withTimeout(MAX_MS, () => this.#backtracking.test(text))
    } catch {
      return undefined
    } finally {
      allowance -= Math.max(0, performance.now() - start - FREE_MS)
    }
  }
}

/** Compiles a pattern for the linear engine; undefined if that engine doesn't support it. */
function linearPattern(source: string): RegExp | undefined {
  // All threads share this flag and the one below. They stay set, since another thread may be about to compile.
  setFlagsFromString('--enable-experimental-regexp-engine')
  try {
    return new RegExp(source, 'l')
  } catch {
    return undefined
  }
}

/** Compiles a pattern whose match fails after this number of backtracks. */
function limitedPattern(source: string, backtracks: number): Matcher {
  setFlagsFromString('--allow-natives-syntax')
  return runInThisContext('(source, limit) => %NewRegExpWithBacktrackLimit(source, "", limit)')(
    source,
    backtracks,
  )
}
