import type { ConfigInput } from '../config/schema.ts'
import type { SeenStats } from '../seen/seen-set.ts'
import type { FileIdentities } from './file-identities.ts'

/** How far a crawl has come: why it ended, or that it hasn't. */
export type Progress = 'running' | 'finished' | 'max-pages' | 'max-time' | 'stopped'

/** Where files of output stand, by their whole names: what follows was written ahead. */
export type Positions = Readonly<Record<string, number>>

/** What became of the seeds so far. */
export interface SavedSeeds {
  readonly answered: number
  readonly failures: readonly { readonly url: string; readonly reason: string }[]
  /** Where they redirect to. */
  readonly joined: readonly string[]
}

/** Running totals, as of the last commit. */
export interface SavedTally {
  readonly elapsedMs: number
  /** Which round of `--revisit-after` it was, from 1. */
  readonly round: number
  readonly visits: number
  /** Those of earlier rounds. */
  readonly visitsBefore: number
  readonly bytes: number
  readonly postponed: number
  readonly statuses: readonly (readonly [number, number])[]
  readonly errors: readonly (readonly [string, number])[]
}

/** The hosts that were given up. */
export interface SavedGivenUp {
  readonly first: readonly {
    readonly key: string
    readonly reason: string
    readonly waiting: number
    readonly hasAnswered: boolean
  }[]
  readonly count: number
  readonly hadAnswered: number
}

/** What a crawl knows beside its URLs and hosts, as of the last commit. */
export interface Ledger {
  readonly progress: Progress
  readonly positions: Positions
  /** What tells these files from others. */
  readonly files?: FileIdentities
  readonly tally: SavedTally
  readonly seeds: SavedSeeds
  /** URLs of the hosts that joined the scope. */
  readonly widened: readonly string[]
  /** Greatest depth that was handed out. */
  readonly deepest: number
  /** What each worker has counted, by counter. */
  readonly counters: readonly Readonly<Record<string, number>>[]
  /** URLs that were not fetched, by reason, as the main thread counts them. */
  readonly skips: readonly (readonly [string, number])[]
  readonly givenUp: SavedGivenUp
  /** Lines of a Netscape cookie file. */
  readonly cookies: readonly string[]
  /** How full the seen set is. */
  readonly seen: SeenStats
  readonly snapshot?: SnapshotRef
}

/** A file that holds the seen set as of some moment. */
export interface SnapshotRef {
  readonly file: string
  readonly checksum: number
  /** Id of the last URL in the database that it is sure to hold. */
  readonly lastUrl: number
}

/** What a directory holds of an earlier run. */
export interface SavedCrawl {
  /** The config: times in milliseconds, sizes in bytes. */
  readonly settings: Readonly<Record<string, unknown>>
  /** What the config was made from. */
  readonly input: ConfigInput
  readonly ledger: Ledger
}
