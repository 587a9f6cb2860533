import type { Logger } from '../../logger.ts'

/** Bytes of a heap that suffice. In a test, a page with 100,000 links needed 70 MiB, including the young generation. */
const SUFFICIENT_HEAP = 96 * 2 ** 20

/** Warns once if the heap of workers is too small for large pages, which then take long or kill their worker. */
export class SmallHeapWarning {
  readonly #logger: Logger
  #hasWarned = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** @param heapLimit maximum size of a worker's heap in bytes */
  check(heapLimit: number): void {
    if (this.#hasWarned || heapLimit >= SUFFICIENT_HEAP) return
    this.#hasWarned = true
    const [limit, enough] = [heapLimit, SUFFICIENT_HEAP].map((bytes) => Math.round(bytes / 2 ** 20))
    this.#logger.warn(
      { heapLimit },
      `The heap of each worker ends at ${limit} MiB: pages with tens of thousands of links may take long or fail ` +
        `(worker-died) below ${enough} MiB; NODE_OPTIONS=--max-old-space-size=<MiB> gives it more`,
    )
  }
}
