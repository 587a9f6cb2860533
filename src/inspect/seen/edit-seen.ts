import { localConfig } from '../../cluster/local-config.ts'
import { resolveConfig } from '../../config/resolve-config.ts'
import { snapshotPath, writeSeenSnapshot } from '../../crawl/checkpoint/seen-snapshot.ts'
import { SharedMemory } from '../../crawl/worker-pool/shared-memory.ts'
import { CrawlerError } from '../../errors.ts'
import { SeenUrlMarks } from '../../frontier/sqlite/seen-url-marks.ts'
import { URL_STATE } from '../../frontier/storage/stored-url.ts'
import { NumericUrlHash } from '../../hashing/numeric-url-hash.ts'
import { SEEN_SET_NAMES } from '../../seen/seen-set.ts'
import { forgettingOf } from '../../seen/seen-set-lifecycle.ts'
import { stateError } from '../../state/explain-state-error.ts'
import type { SavedCrawl, SnapshotRef } from '../../state/ledger.ts'
import { readState } from '../../state/read-state.ts'
import { StateDirectory } from '../../state/state-directory.ts'
import { CANONICAL_RULES, CanonicalRules, type StripQuery } from '../../url/canonical-rules.ts'
import { parseSeed, shownSeed } from '../../url/seed.ts'

/** A URL in its canonical form, and whether it was seen, added or forgotten. */
export interface SeenAnswer {
  readonly url: string
  readonly answer: boolean
}

/** Seen sets that can remove URLs. */
const FORGETTING_SETS = SEEN_SET_NAMES.filter((name) => forgettingOf(name) === 'on request')
const FIND = `SELECT 1 FROM urls WHERE key = ? AND url = ? AND state <> ${URL_STATE.forgotten}`

/**
 * Returns for each URL whether a crawl has found it, as of its last commit, even while the crawl
 * runs. Reads the table of URLs, which is exact; a Bloom filter has false positives.
 * @throws CrawlerError `state` if there is no crawl, `usage` for an invalid URL
 */
export function hasSeen(path: string, urls: readonly string[]): SeenAnswer[] {
  return readState(path, ({ database, saved, hashKey }) => {
    const find = database.prepare(FIND)
    const keys = new NumericUrlHash(hashKey)
    return canonicalize(urls, saved).map((url) => ({
      url,
      answer: find.get(keys.of(url), url) !== undefined,
    }))
  })
}

/**
 * Marks URLs as seen, all or none, so that a resumed crawl does not fetch them. Returns for each
 * URL whether it was new.
 * @throws CrawlerError as `hasSeen`, and `state` while a crawl is running
 */
export function addSeen(path: string, urls: readonly string[]): Promise<SeenAnswer[]> {
  return changeState(path, (directory, saved) => {
    const marks = new SeenUrlMarks(directory)
    const answers = canonicalize(urls, saved).map((url) => ({ url, answer: marks.mark(url) }))
    directory.commit(saved.ledger)
    return answers
  })
}

/**
 * Makes a crawl forget URLs, all or none, so that they are fetched when found again. Returns for
 * each URL whether it was known.
 * @throws CrawlerError as `addSeen`, and `state` if the seen set can't forget
 */
export function forgetSeen(path: string, urls: readonly string[]): Promise<SeenAnswer[]> {
  return changeState(path, async (directory, saved) => {
    const marks = new SeenUrlMarks(directory)
    const answers = canonicalize(urls, saved).map((url) => ({ url, answer: marks.forget(url) }))
    const met = answers.filter(({ answer }) => answer).map(({ url }) => url)
    const snapshot = await forgetInSnapshot(directory, saved, met)
    const { snapshot: _, ...ledger } = saved.ledger
    directory.commit(snapshot === undefined ? ledger : { ...ledger, snapshot })
    return answers
  })
}

/** Opens the state of a crawl for a change. Reads it first, so that a missing state is not created. */
async function changeState<T>(
  path: string,
  change: (directory: StateDirectory, saved: SavedCrawl) => T | Promise<T>,
): Promise<T> {
  readState(path, () => {})
  const directory = StateDirectory.open(path)
  const { saved } = directory
  try {
    if (saved !== undefined) return await change(directory, saved)
    throw new CrawlerError('state', `${path}: expected the state of a crawl, got none`)
  } catch (error) {
    throw stateError(path, error)
  } finally {
    directory.close()
  }
}

/** Canonicalizes URLs by the rules of the crawl. */
function canonicalize(urls: readonly string[], { settings }: SavedCrawl): string[] {
  const names = CANONICAL_RULES.filter((rule) => isNamed(settings, rule))
  const rules = new CanonicalRules(names, stripQueryOf(settings))
  return urls.map((url) => rules.apply(urlWithScheme(url)))
}

/** Returns the canonical URL. Without a scheme, it could be either of two. */
function urlWithScheme(text: string): string {
  const { url, fallback } = parseSeed(text)
  if (fallback === undefined) return url
  const message = `expected a URL that begins with http:// or https://, got \`${shownSeed(text)}\``
  throw new CrawlerError('usage', message)
}

function stripQueryOf({ stripQuery }: SavedCrawl['settings']): StripQuery {
  return Array.isArray(stripQuery) ? stripQuery.map(String) : stripQuery === true
}

function isNamed({ canonicalize }: SavedCrawl['settings'], rule: string): boolean {
  return Array.isArray(canonicalize) && canonicalize.includes(rule)
}

/**
 * Removes URLs from the snapshot of the seen set.
 * @returns the new snapshot; undefined if no old one could be read, so that the set is rebuilt from the table of URLs
 */
async function forgetInSnapshot(
  { path, hashKey }: StateDirectory,
  { input, ledger: { snapshot } }: SavedCrawl,
  urls: readonly string[],
): Promise<SnapshotRef | undefined> {
  const config = resolveConfig(input)
  const memory = new SharedMemory(localConfig(config), hashKey, path)
  try {
    const isRead =
      snapshot !== undefined && memory.readSnapshot(snapshotPath(path, snapshot), snapshot.checksum)
    if (!memory.forget(urls)) {
      const message = `${path}: expected a seen set that can forget (${FORGETTING_SETS.join(', ')}), got ${config.seen}`
      throw new CrawlerError('state', message)
    }
    // The new snapshot is complete before the memory is closed.
    return isRead ? await writeSeenSnapshot(memory, path, snapshot.lastUrl, snapshot) : undefined
  } finally {
    memory.close()
  }
}
