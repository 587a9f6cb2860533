/** Receives the progress of a command that reads a crawl. */
export interface Progress {
  /** Called for each record that was read. */
  recordRead(): void
  /** Called when a file was read to its end. The step that follows may take seconds, without further calls. */
  fileRead(): void
}
