/** What an output tells the crawl that writes to it. */
export interface OutputEvents {
  /** There is room again. */
  drained(): void
  /** The reader has gone and wants no more, as `head` does: no error. */
  closed(): void
  failed(error: Error): void
}

/** Where visits go, in the order in which they are written. One writer: the coordinator. */
export interface Output {
  /** To be called once, before anything is written. */
  open(events: OutputEvents): void
  /** @param records visits as `encodeVisit` gives them */
  write(records: readonly string[]): void
  /** True when the reader is slow: write what is there, and start nothing new until `drained`. */
  readonly congested: boolean
  /**
   * Resolves when all that was written so far would survive the end of the process, and for a file a
   * power cut, to the length of the file in bytes; 0 where there is none.
   */
  sync(): Promise<number>
  /** Resolves when all is written. */
  close(): Promise<void>
}
