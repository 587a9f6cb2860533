import type { ConfigInput } from '../config/schema.ts'
import {
  count,
  dictionary,
  displayNumber,
  flag,
  httpUrl,
  list,
  oneOf,
  optional,
  pair,
  record,
  type StoredValue,
  text,
} from '../database/validate-stored-values.ts'

/** The states of a crawl: `running`, or the reason for its end. */
const PROGRESS = ['running', 'finished', 'max-pages', 'max-time', 'stopped'] as const
export type CrawlProgress = (typeof PROGRESS)[number]

/** Names of the snapshot files, which alternate. */
export const SNAPSHOT_FILES = ['seen-0.snapshot', 'seen-1.snapshot'] as const

/** Committed lengths of output files by absolute path; bytes after them were not committed. */
const positions = dictionary(count)
export type Positions = StoredValue<typeof positions>

/** Outcome of the seeds so far. */
const savedSeeds = record({
  answered: count,
  failures: list(record({ url: text, reason: text })),
  /** Further URLs that count as seeds: targets of their redirects, and fallbacks. */
  joined: list(httpUrl),
  /** Origins whose sitemaps are held back, with `--deterministic`. */
  heldSitemaps: optional(list(text)),
})
export type SavedSeeds = StoredValue<typeof savedSeeds>

/** Totals at the beginning of the round, without the number of visits. */
const savedRoundStart = record({
  elapsedMs: count,
  bytes: count,
  /** Absent in states of older versions. */
  failed: optional(count),
  postponed: count,
  statuses: dictionary(count),
  errors: dictionary(count),
  skipped: dictionary(count),
})

/** Running totals as of the last commit. */
const savedTally = record({
  elapsedMs: count,
  /** Round of `--revisit-after`, from 1. */
  round: count,
  visits: count,
  /** Visits of earlier rounds. */
  visitsBefore: count,
  bytes: count,
  /** Visits with an error that don't count as HTTP errors; absent in states of older versions. */
  failed: optional(count),
  postponed: count,
  statuses: list(pair(count, count)),
  errors: list(pair(text, count)),
  /** Totals at the beginning of the round; absent in the first round. */
  before: optional(savedRoundStart),
})
export type SavedTally = StoredValue<typeof savedTally>

/** Hosts that were given up. */
const savedGivenUp = record({
  first: list(record({ key: text, reason: text, waiting: count, hasAnswered: flag })),
  count,
  hadAnswered: count,
})
export type SavedGivenUp = StoredValue<typeof savedGivenUp>

/** The templates of pages that were rendered, and the counts of pages. */
const savedRendering = record({
  rendered: count,
  unrendered: list(pair(text, count)),
  templates: list(
    record({ family: text, directory: text, pages: count, barren: count, isStatic: flag }),
  ),
  /** Digests of documents that show links only in a browser, each with its host. */
  shells: optional(list(pair(text, text))),
  /** Counts of screenshots, with `--screenshots`. */
  screenshots: optional(record({ taken: count, missing: count })),
})
export type SavedRendering = StoredValue<typeof savedRendering>

/** A file with a snapshot of the seen set. */
const snapshotRef = record({
  file: oneOf(SNAPSHOT_FILES, 'a snapshot'),
  checksum: count,
  /** Id of the last URL in the database that the snapshot certainly contains. */
  lastUrl: count,
})
export type SnapshotRef = StoredValue<typeof snapshotRef>

/** Statistics of the seen set, as in `SeenStats`. */
const seenStats = record({
  added: displayNumber,
  bytes: displayNumber,
  diskBytes: optional(displayNumber),
  fill: displayNumber,
  falsePositiveRate: displayNumber,
  expectedLost: displayNumber,
  audit: optional(
    record({
      share: displayNumber,
      sampled: displayNumber,
      mistakes: displayNumber,
      lostShare: displayNumber,
    }),
  ),
})

/** State of a crawl as of the last commit, without its URLs and hosts. */
export const ledgerSchema = record({
  progress: oneOf(PROGRESS, 'the progress of a crawl'),
  positions,
  /** Identities of the files in `positions`. */
  files: optional(dictionary(text)),
  tally: savedTally,
  seeds: savedSeeds,
  /** One URL of each host that was added to the scope. */
  widened: list(httpUrl),
  /** Greatest depth of a URL that was handed out. */
  deepest: count,
  /** Counters of each worker, by name. */
  counters: list(dictionary(count)),
  /** Numbers of URLs that the main thread skipped, by reason. */
  skips: list(pair(text, count)),
  givenUp: savedGivenUp,
  /** Lines of a Netscape cookie file. */
  cookies: list(text),
  /** Digest of the cookie file that the run read. */
  cookieFile: optional(text),
  seen: seenStats,
  /** Set with `--render`. */
  rendering: optional(savedRendering),
  snapshot: optional(snapshotRef),
})
export type Ledger = StoredValue<typeof ledgerSchema>

/** The crawl that an earlier run stored in a directory. */
export interface SavedCrawl {
  /** The config: times in milliseconds, sizes in bytes. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The flags and config file that the config was made from. */
  readonly input: ConfigInput
  readonly ledger: Ledger
}
