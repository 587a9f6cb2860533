import type { OutputEvents, Sink } from '../../output/output.ts'
import { encodeLine } from '../../records/json-line.ts'
import { SKIP_REASONS, type Skip, type SkipReason, skipKey } from '../../records/skip.ts'
import type { Positions } from '../../state/ledger.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import type { DecisionLog } from './decision-log.ts'

/** Counts the URLs that the main thread skips, and writes all skipped URLs to the file of `--skipped`. */
export class SkipLog {
  readonly #counts = new Map<SkipReason, number>()
  readonly #output: Sink | undefined
  readonly #memory: Pick<SharedMemory, 'markSkipsCounted'>
  readonly #log: Pick<DecisionLog, 'skipped'> | undefined
  #drained: (() => void) | undefined

  /**
   * @param memory knows the URLs that were listed before
   * @param log receives each skipped URL
   */
  constructor(
    output: Sink | undefined,
    memory: Pick<SharedMemory, 'markSkipsCounted'>,
    log?: Pick<DecisionLog, 'skipped'>,
  ) {
    this.#output = output
    this.#memory = memory
    this.#log = log
  }

  /** Number of URLs that the main thread has skipped, by reason. Workers count the URLs that they skip. */
  get counts(): ReadonlyMap<SkipReason, number> {
    return this.#counts
  }

  get congested(): boolean {
    return this.#output?.congested ?? false
  }

  /** Continues from the counts of an earlier run. */
  restore(counts: readonly (readonly [string, number])[]): void {
    for (const reason of SKIP_REASONS) {
      const count = counts.find(([name]) => name === reason)?.[1]
      if (count !== undefined) this.#counts.set(reason, count)
    }
  }

  /** Makes all lines durable. Resolves with the position in the file. */
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

  /** Writes skipped URLs that a worker has counted. */
  writeCounted(skips: readonly Skip[]): void {
    for (const skip of skips) this.#log?.skipped(skip)
    if (skips.length > 0) this.#output?.write(skips.map(encodeLine))
  }

  /** Counts a skipped URL, and writes it unless the file lists it already, with the same reason. */
  add(skip: Skip): void {
    this.#count(skip.reason, 1)
    this.#log?.skipped(skip)
    if (this.#output === undefined) return
    const [isNew] = this.#memory.markSkipsCounted([skipKey(skip)])
    if (isNew === true) this.#output.write([encodeLine(skip)])
  }

  /** Adds the URLs that a limit left in the queue. Without a file, only their number is used. */
  async addLeftOvers(count: number, leftOvers: Iterable<Omit<Skip, 'reason'>>): Promise<void> {
    if (this.#output === undefined) {
      if (count > 0) this.#count('limit', count)
      return
    }
    await this.addAll(limited(leftOvers))
  }

  /** Adds skipped URLs. Waits while the output is congested. */
  async addAll(skips: Iterable<Skip>): Promise<void> {
    for (const skip of skips) {
      this.add(skip)
      if (this.congested) await new Promise<void>((resolve) => (this.#drained = resolve))
    }
  }

  #count(reason: SkipReason, count: number): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
  }

  async close(): Promise<void> {
    await this.#output?.close()
  }
}

function* limited(leftOvers: Iterable<Omit<Skip, 'reason'>>): Generator<Skip> {
  for (const leftOver of leftOvers) yield { ...leftOver, reason: 'limit' }
}
