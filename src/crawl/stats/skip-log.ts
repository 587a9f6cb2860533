import { encodeSkip, SKIP_REASONS, type Skip, type SkipReason } from '../../records/skip.ts'
import type { OutputEvents, Sink } from '../../sinks/output.ts'
import type { Positions } from '../../state/ledger.ts'

/** Accounts on the main thread for what was named and not fetched; `--skipped` writes it down. */
export class SkipLog {
  /** What was kept out here; the workers count what they keep out themselves. */
  readonly counts = new Map<SkipReason, number>()
  readonly #output: Sink | undefined
  #drained: (() => void) | undefined

  constructor(output: Sink | undefined) {
    this.#output = output
  }

  get congested(): boolean {
    return this.#output?.congested ?? false
  }

  /** Goes on from the counts of an earlier run. */
  restore(counts: readonly (readonly [string, number])[]): void {
    for (const reason of SKIP_REASONS) {
      const count = counts.find(([name]) => name === reason)?.[1]
      if (count !== undefined) this.counts.set(reason, count)
    }
  }

  /** Resolves to where the file stands when all lines are durable. */
  async sync(): Promise<Positions> {
    return (await this.#output?.sync()) ?? {}
  }

  open(events: OutputEvents): void {
    const wake = () => this.#drained?.()
    this.#output?.open({
      drained: () => {
        wake()
        events.drained()
      },
      closed: () => {
        wake()
        events.closed()
      },
      failed: (error) => {
        wake()
        events.failed(error)
      },
    })
  }

  /** Writes what a worker has counted. */
  write(skips: readonly Skip[]): void {
    if (skips.length > 0) this.#output?.write(skips.map(encodeSkip))
  }

  note(skip: Skip): void {
    this.counts.set(skip.reason, (this.counts.get(skip.reason) ?? 0) + 1)
    this.#output?.write([encodeSkip(skip)])
  }

  /** What a limit left in the queue; `count` of them, without looking where nobody reads of them. */
  async noteLeftOvers(count: number, leftOvers: Iterable<Omit<Skip, 'reason'>>): Promise<void> {
    if (this.#output === undefined) {
      if (count > 0) this.counts.set('limit', count)
      return
    }
    await this.noteAll(limited(leftOvers))
  }

  /** Notes as many as there are, as fast as they are read. */
  async noteAll(skips: Iterable<Skip>): Promise<void> {
    for (const skip of skips) {
      this.note(skip)
      if (this.congested) await this.#room()
    }
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = resolve
    })
  }

  async close(): Promise<void> {
    await this.#output?.close()
  }
}

function* limited(leftOvers: Iterable<Omit<Skip, 'reason'>>): Generator<Skip> {
  for (const leftOver of leftOvers) yield { ...leftOver, reason: 'limit' }
}
