import type { Logger } from '../../logger.ts'

/** A page of 100,000 links was read with a heap of 70 MiB, what is young included, and ended its worker below that. */
const ENOUGH = 96 * 2 ** 20

/** Tells once that the heap of workers is small for large pages: those take long then, or end their worker. */
export class HeapWarning {
  readonly #logger: Logger
  #isTold = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** @param heapLimit bytes that the heap of a worker may take */
  review(heapLimit: number): void {
    if (this.#isTold || heapLimit >= ENOUGH) return
    this.#isTold = true
    const [limit, enough] = [heapLimit, ENOUGH].map((bytes) => Math.round(bytes / 2 ** 20))
    this.#logger.warn(
      { heapLimit },
      `The heap of each worker ends at ${limit} MiB: pages with tens of thousands of links may take long or fail ` +
        `(worker-died) below ${enough} MiB; NODE_OPTIONS=--max-old-space-size=<MiB> gives it more`,
    )
  }
}
