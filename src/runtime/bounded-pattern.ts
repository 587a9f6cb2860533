import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { withTimeout } from './sync-timeout.ts'

type Matcher = Pick<RegExp, 'exec'>

/** Without loops, and with few choices: no text takes long. */
const SIMPLE = /^(?:[^*+{(?]*[(?]){0,16}[^*+{(?]*$/

/** Backtracks of the first attempt, some microseconds in most cases. Few texts need more. */
const FIRST_BACKTRACKS = 2_000
/** More of them for each character of the pattern: the linear engine takes longer for long patterns, too. */
const BACKTRACKS_PER_CHARACTER = 10
/** Length above which there is no first attempt: each backtrack may read all of the text again. */
const MAX_FIRST_LENGTH = 1_000
/** Milliseconds for a text that only backtracking can compare. */
const MAX_MS = 250
/** Time beyond this one is taken from the allowance: honest texts take less. */
const FREE_MS = 1
/** Milliseconds that all texts together may take beyond their free time, in each thread. */
const ALLOWANCE_MS = 20_000

let allowance = ALLOWANCE_MS

/**
 * A regular expression that is compared with texts of strangers in bounded time. V8's backtracking engine may take
 * years for a short text. When it has made a few thousand backtracks, V8's other engine takes over: its time grows
 * with the length of the text only. That engine knows no look-ahead, back references, modifiers such as `(?i:` and
 * large counted repetitions; patterns with these go on with backtracking, for a time.
 */
export class BoundedPattern {
  /** Undefined for a simple pattern. */
  readonly #first: Matcher | undefined
  readonly #maxFirstLength: number
  readonly #linear: RegExp | undefined
  readonly #backtracking: RegExp

  /** @throws {SyntaxError} for an invalid regular expression */
  constructor(source: string) {
    this.#backtracking = new RegExp(source)
    this.#maxFirstLength = MAX_FIRST_LENGTH + source.length
    if (SIMPLE.test(source)) return
    this.#linear = linearPattern(source)
    // Matches any text: up to its end where the pattern matches, else nothing of it. So null is left for a text
    // that took too many backtracks. It has no group of its own, which would change what `\1` means.
    const backtracks = FIRST_BACKTRACKS + BACKTRACKS_PER_CHARACTER * source.length
    this.#first = limitedPattern(`^(?:[^]*?(?:${source})[^]*|)`, backtracks)
  }

  /** Returns whether a text, which may not be empty, matches; undefined if that would take too long. */
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

/** Compiles a pattern for the engine of linear time; undefined if that engine can't run it. */
function linearPattern(source: string): RegExp | undefined {
  // All threads share this flag and the one below: they stay set, for another thread may be about to compile.
  setFlagsFromString('--enable-experimental-regexp-engine')
  try {
    return new RegExp(source, 'l')
  } catch {
    return undefined
  }
}

/** Compiles a pattern that matches nothing after so many backtracks. */
function limitedPattern(source: string, backtracks: number): Matcher {
  setFlagsFromString('--allow-natives-syntax')
  return runInThisContext('(source, limit) => %NewRegExpWithBacktrackLimit(source, "", limit)')(
    source,
    backtracks,
  )
}
