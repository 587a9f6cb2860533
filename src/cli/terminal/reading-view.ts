import { formatCount } from '../../english-text.ts'
import type { Progress } from '../../inspect/progress.ts'
import type { CliContext } from '../cli-context.ts'
import { Screen, sharesTerminal } from './screen.ts'

/** Milliseconds between two frames, and before the first one, so that quick commands show none. */
const FRAME_MS = 250
/** Number of records between two looks at the clock. */
const STRIDE = 1_000
const STDIN_FD = 0

/** Shows on a terminal how many records a command has read. */
export class ReadingView implements Progress {
  readonly #screen: Screen | undefined
  readonly #nextStep: string
  readonly #printsToTerminal: boolean
  #records = 0
  #frameAt = performance.now() + FRAME_MS
  #isShown = false

  /**
   * @param nextStep the step after reading, such as "comparing"
   * @param inputs names of the files to read; `-` is stdin
   */
  constructor(nextStep: string, inputs: readonly string[], context: CliContext) {
    this.#nextStep = nextStep
    this.#printsToTerminal = context.stdout.isTTY === true
    const { stderr, canMoveCursor } = context
    const files = inputs.map((name) => (name === '-' ? STDIN_FD : name))
    const isShown = stderr.isTTY === true && canMoveCursor && !sharesTerminal(context, files)
    if (isShown) this.#screen = new Screen(stderr)
  }

  recordRead(): void {
    this.#records += 1
    if (this.#records % STRIDE === 0) this.#draw('')
  }

  fileRead(): void {
    this.#draw(`, ${this.#nextStep}`)
  }

  /** Yields items to print. Removes the view before the first one if they appear on the same terminal. */
  *endBefore<T>(items: Iterable<T>): Generator<T> {
    for (const item of items) {
      if (this.#printsToTerminal) this.end()
      yield item
    }
  }

  /** Removes the view. */
  end(): void {
    if (this.#isShown) this.#screen?.draw([])
    this.#isShown = false
  }

  #draw(step: string): void {
    const now = performance.now()
    if (this.#screen === undefined || (now < this.#frameAt && !(step && this.#isShown))) return
    this.#frameAt = now + FRAME_MS
    this.#isShown = true
    this.#screen.draw([`${formatCount(this.#records)} records read${step}`])
  }
}
