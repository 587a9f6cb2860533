import type { Logger } from '../../logger.ts'

/** In a test a page of 100,000 links needed a heap of 70 MiB, with its young part. */
const ENOUGH = 96 * 2 ** 20

/** Warns once if the heap of workers is small for large pages: those take long then, or end their worker. */
export class SmallHeapWarning {
  readonly #logger: Logger
  #hasWarned = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** @param heapLimit maximum size of a worker's heap in bytes */
  check(heapLimit: number): void {
    if (this.#hasWarned || heapLimit >= ENOUGH) return
    this.#hasWarned = true
    const [limit, enough] = [heapLimit, ENOUGH].map((bytes) => Math.round(bytes / 2 ** 20))
    this.#logger.warn(
      { heapLimit },
      `The heap of each worker ends at ${limit} MiB: pages with tens of thousands of links may take long or fail ` +
        `(worker-died) below ${enough} MiB; NODE_OPTIONS=--max-old-space-size=<MiB> gives it more`,
    )
  }
}
