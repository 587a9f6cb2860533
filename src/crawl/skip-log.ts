import type { Output, OutputEvents } from '../output/output.ts'
import { encodeSkip, type Skip, type SkipReason } from '../wire/skip.ts'

/** Accounts on the main thread for what was named and not fetched; `--skipped` writes it down. */
export class SkipLog {
  /** What was kept out here; the workers count what they keep out themselves. */
  readonly counts = new Map<SkipReason, number>()
  readonly #output: Output | undefined

  constructor(output: Output | undefined) {
    this.#output = output
  }

  get congested(): boolean {
    return this.#output?.congested ?? false
  }

  open(events: OutputEvents): void {
    this.#output?.open(events)
  }

  /** Lines that a worker wrote. */
  write(lines: readonly string[]): void {
    if (lines.length > 0) this.#output?.write(lines)
  }

  note(skip: Skip): void {
    this.counts.set(skip.reason, (this.counts.get(skip.reason) ?? 0) + 1)
    this.#output?.write([encodeSkip(skip)])
  }

  async close(): Promise<void> {
    await this.#output?.close()
  }
}
