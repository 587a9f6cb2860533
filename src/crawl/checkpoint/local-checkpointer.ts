import { setTimeout as sleep } from 'node:timers/promises'
import type { Frontier } from '../../frontier/frontier.ts'
import type { CommitBarrier } from '../../state/commit-barrier.ts'
import { FileIdentityCache } from '../../state/file-identities.ts'
import type { CrawlProgress, Ledger, SnapshotRef } from '../../state/ledger.ts'
import type { SeedHostStore } from '../../state/seed-host-store.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import type { Checkpointer } from './checkpointer.ts'
import { type LedgerParts, takeLedger } from './crawl-ledger.ts'
import { writeSeenSnapshot } from './seen-snapshot.ts'

export interface LocalCheckpointerParts extends LedgerParts {
  readonly barrier: CommitBarrier
  readonly config: { readonly force: boolean }
  readonly directory: StateDirectory
  readonly frontier: Pick<Frontier, 'stored'>
  readonly memory: SharedMemory
  readonly seedHostStore: SeedHostStore | undefined
  /** Makes all outputs durable. Resolves with their positions. */
  readonly sync: () => Promise<Ledger['positions']>
  readonly tuning: { readonly commitEvery: number; readonly snapshotEvery: number }
}

/** Minimum time between two commits, as a multiple of the time that the last one took, since events wait meanwhile. */
const PAUSE_PER_COMMIT = 3
/** Maximum milliseconds between two commits, however slow the disk is. */
const MAX_PAUSE_MS = 10_000

/**
 * Makes a crawl durable in its state directory. During a commit, the barrier holds all events back, so that database
 * and outputs agree: first the records become durable, then the commit that relies on them.
 *
 * A snapshot of the seen set may contain links of pages that are in flight while it is written. The commit that names
 * the snapshot comes later, so all of these pages count as handed out. If they run again, all of their links are
 * compared with the database, not with the seen set alone.
 */
export class LocalCheckpointer implements Checkpointer {
  readonly #parts: LocalCheckpointerParts
  readonly #files = new FileIdentityCache()
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #snapshot: SnapshotRef | undefined
  /** Milliseconds that the last commit took. */
  #commitMs = 0

  constructor(parts: LocalCheckpointerParts) {
    this.#parts = parts
    const { config, directory } = parts
    // With --force, the seen set was made from the database: the snapshot may be of another kind of set.
    this.#snapshot = config.force ? undefined : directory.saved?.ledger.snapshot
  }

  /** Commits once before anything is written, and then regularly. Stops after a failure. */
  async start(failed: (error: unknown) => void): Promise<void> {
    await this.#commit('running')
    this.#running = this.#repeat().catch(failed)
  }

  async end(progress: CrawlProgress): Promise<void> {
    await this.#commit(progress)
    // The next run does not need the snapshot, but starts faster with it.
    if (progress !== 'finished' && this.#newUrls > 0) {
      await this.#writeSnapshot()
      await this.#commit(progress)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#stopping
    const { barrier, tuning } = this.#parts
    while (!signal.aborted) {
      const pause = Math.min(PAUSE_PER_COMMIT * this.#commitMs, MAX_PAUSE_MS)
      const ms = Math.max(tuning.commitEvery, pause)
      await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      if (barrier.takePassed()) await this.#commit('running')
      if (this.#newUrls >= tuning.snapshotEvery) await this.#writeSnapshot()
    }
  }

  #commit(progress: CrawlProgress): Promise<void> {
    const { barrier, directory, frontier, seedHostStore, seeds, sync } = this.#parts
    return barrier.during(async () => {
      const start = performance.now()
      const positions = await sync()
      frontier.stored.save()
      seedHostStore?.add(seeds.hosts.takeFindings())
      const files = this.#files.identities(Object.keys(positions))
      const ledger = takeLedger(this.#parts, progress, positions, this.#snapshot)
      directory.commit({ ...ledger, files })
      this.#commitMs = performance.now() - start
    })
  }

  /** Number of URLs that the snapshot doesn't have. */
  get #newUrls(): number {
    return this.#parts.frontier.stored.lastUrl - (this.#snapshot?.lastUrl ?? 0)
  }

  async #writeSnapshot(): Promise<void> {
    const { directory, frontier, memory } = this.#parts
    const { lastUrl } = frontier.stored
    this.#snapshot = await writeSeenSnapshot(memory, directory.path, lastUrl, this.#snapshot)
  }
}
