import type { ConfigInput } from '../config/schema.ts'
import {
  absentOr,
  count,
  figure,
  flag,
  httpUrl,
  list,
  mapOf,
  oneOf,
  pair,
  record,
  type Stored,
  text,
} from '../database/stored-value.ts'

/** How far a crawl has come: why it ended, or that it hasn't. */
const PROGRESS = ['running', 'finished', 'max-pages', 'max-time', 'stopped'] as const
export type CrawlProgress = (typeof PROGRESS)[number]

/** Names of the files of a snapshot, which take turns. */
export const SNAPSHOT_FILES = ['seen-0.snapshot', 'seen-1.snapshot'] as const

/** Where files of output stand, by their whole names: what follows was written ahead. */
const positions = mapOf(count)
export type Positions = Stored<typeof positions>

/** What became of the seeds so far. */
const savedSeeds = record({
  answered: count,
  failures: list(record({ url: text, reason: text })),
  /** Where they redirect to. */
  joined: list(httpUrl),
})
export type SavedSeeds = Stored<typeof savedSeeds>

/** Running totals, as of the last commit. */
const savedTally = record({
  elapsedMs: count,
  /** Which round of `--revisit-after` it was, from 1. */
  round: count,
  visits: count,
  /** Those of earlier rounds. */
  visitsBefore: count,
  bytes: count,
  postponed: count,
  statuses: list(pair(count, count)),
  errors: list(pair(text, count)),
})
export type SavedTally = Stored<typeof savedTally>

/** The hosts that were given up. */
const savedGivenUp = record({
  first: list(record({ key: text, reason: text, waiting: count, hasAnswered: flag })),
  count,
  hadAnswered: count,
})
export type SavedGivenUp = Stored<typeof savedGivenUp>

/** A file that holds the seen set as of some moment. */
const snapshotRef = record({
  file: oneOf(SNAPSHOT_FILES, 'a snapshot'),
  checksum: count,
  /** Id of the last URL in the database that it is sure to hold. */
  lastUrl: count,
})
export type SnapshotRef = Stored<typeof snapshotRef>

/** How full the seen set is, as `SeenStats` says it. */
const seenStats = record({
  added: figure,
  bytes: figure,
  diskBytes: absentOr(figure),
  fill: figure,
  falsePositiveRate: figure,
  expectedLost: figure,
  audit: absentOr(record({ share: figure, sampled: figure, mistakes: figure, lostShare: figure })),
})

/** What a crawl knows beside its URLs and hosts, as of the last commit. */
export const ledgerForm = record({
  progress: oneOf(PROGRESS, 'the progress of a crawl'),
  positions,
  /** What tells these files from others. */
  files: absentOr(mapOf(text)),
  tally: savedTally,
  seeds: savedSeeds,
  /** URLs of the hosts that joined the scope. */
  widened: list(httpUrl),
  /** Greatest depth that was handed out. */
  deepest: count,
  /** What each worker has counted, by counter. */
  counters: list(mapOf(count)),
  /** URLs that were not fetched, by reason, as the main thread counts them. */
  skips: list(pair(text, count)),
  givenUp: savedGivenUp,
  /** Lines of a Netscape cookie file. */
  cookies: list(text),
  seen: seenStats,
  snapshot: absentOr(snapshotRef),
})
export type Ledger = Stored<typeof ledgerForm>

/** What a directory holds of an earlier run. */
export interface SavedCrawl {
  /** The config: times in milliseconds, sizes in bytes. */
  readonly settings: Readonly<Record<string, unknown>>
  /** What the config was made from. */
  readonly input: ConfigInput
  readonly ledger: Ledger
}
