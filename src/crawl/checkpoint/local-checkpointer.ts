import { setTimeout as sleep } from 'node:timers/promises'
import type { EventBarrier } from '../../runtime/event-barrier.ts'
import type { Output } from '../../sinks/output.ts'
import { FileIdentityCache } from '../../state/file-identities.ts'
import type { CrawlProgress, SnapshotRef } from '../../state/ledger.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import type { CrawlState } from '../crawl-state.ts'
import type { Checkpointer } from './checkpointer.ts'
import { takeLedger } from './save-ledger.ts'
import { writeSeenSnapshot } from './seen-snapshot.ts'

/**
 * Makes durable what has happened, again and again. The coordinator holds still meanwhile, so that
 * database and output agree: first the records are made durable, then the commit that relies on it.
 *
 * A snapshot of the seen set may hold links of pages that are in flight while it is written. The commit
 * that names it comes after it, so all of those are known to have been handed out; should they run
 * again, all of their links are compared with the database, not with the seen set alone.
 */
export class LocalCheckpointer implements Checkpointer {
  readonly #state: CrawlState
  readonly #directory: StateDirectory
  readonly #output: Output
  readonly #gate: EventBarrier
  readonly #files = new FileIdentityCache()
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #snapshot: SnapshotRef | undefined

  constructor(state: CrawlState, directory: StateDirectory, output: Output, gate: EventBarrier) {
    this.#state = state
    this.#directory = directory
    this.#output = output
    this.#gate = gate
    this.#snapshot = directory.saved?.ledger.snapshot
  }

  /**
   * Begins with a commit, before anything is written.
   * @param failed told when something could not be made durable later; nothing further is then tried
   */
  async start(failed: (error: unknown) => void): Promise<void> {
    await this.#commit('running')
    this.#running = this.#repeat().catch(failed)
  }

  /** The last commit: `progress` says how the crawl ended. */
  async end(progress: CrawlProgress): Promise<void> {
    await this.#commit(progress)
    // The next run comes without it as well, in more time.
    if (progress !== 'finished' && this.#newUrls > 0) {
      await this.#writeSnapshot()
      await this.#commit(progress)
    }
  }

  /** Resolves when nothing is being written any more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#stopping
    const { commitEvery, snapshotEvery } = this.#state.tuning
    while (!signal.aborted) {
      await sleep(commitEvery, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      if (this.#gate.takePassed()) await this.#commit('running')
      if (this.#newUrls >= snapshotEvery) await this.#writeSnapshot()
    }
  }

  #commit(progress: CrawlProgress): Promise<void> {
    const { frontier, seedHosts, seeds, skips } = this.#state
    return this.#gate.during(async () => {
      const positions = { ...(await this.#output.sync()), ...(await skips.sync()) }
      frontier.snapshot.save()
      seedHosts?.add(seeds.hosts.takeFindings())
      const files = this.#files.identities(Object.keys(positions))
      const ledger = takeLedger(this.#state, progress, positions, this.#snapshot)
      this.#directory.commit({ ...ledger, files })
    })
  }

  /** URLs that the snapshot does not hold. */
  get #newUrls(): number {
    return this.#state.frontier.snapshot.lastUrl - (this.#snapshot?.lastUrl ?? 0)
  }

  async #writeSnapshot(): Promise<void> {
    const { frontier, memory } = this.#state
    const { lastUrl } = frontier.snapshot
    this.#snapshot = await writeSeenSnapshot(memory, this.#directory.path, lastUrl, this.#snapshot)
  }
}
