import { DATA } from '../../records/visit-columns.ts'
import { isObject } from '../read-json-lines.ts'
import { errorCodeOf, type RecordedVisit } from '../read-visits.ts'

/** Compared fields of a visit; absent ones are left out. */
export interface VisitFacts {
  readonly status?: number
  /** The `error.code`. */
  readonly error?: string
  readonly redirectsTo?: string
  readonly contentType?: string
  readonly bytes?: number
  readonly title?: string
  readonly noindex?: true
  readonly canonical?: string
  readonly links?: number
  /** SHA-256 of the body; compared only if both crawls have it. */
  readonly hash?: string
  /** The data that `--extract`, `--text` and hooks found, by field. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** Facts as read; undefined means absent. */
type ReadFacts = { readonly [Name in keyof VisitFacts]?: VisitFacts[Name] | undefined }

export function factsOf(visit: RecordedVisit): ReadFacts {
  const { status, redirectsTo, contentType, bytes, title, canonical, links, hash, data } = visit
  const error = errorCodeOf(visit)
  const noindex = visit.noindex === true ? (true as const) : undefined
  const facts = { status, error, redirectsTo, contentType, bytes, title, noindex, canonical, links }
  if (hash === undefined && data === undefined) return facts
  return {
    ...facts,
    hash,
    // The order of the fields depends on the order of the options, which may differ between the crawls.
    data: isObject(data) ? Object.fromEntries(Object.entries(data).sort()) : undefined,
  }
}

/** All facts except `data`. */
const FACTS = [
  ...(['status', 'error', 'redirectsTo', 'contentType', 'bytes', 'title'] as const),
  ...(['noindex', 'canonical', 'links', 'hash'] as const),
]
/** Facts that a directory of `--state` contains. */
const OF_STATES: readonly string[] = ['status', 'error', 'bytes', 'hash']
/** Maximum number of fact names to remember: hooks may add any number of fields of data. */
const MAX_DATA_FIELDS = 1_000

/** Names of the facts that the records of a crawl can have; a field of data is `data.name`. */
export class KnownFacts {
  readonly #seen = new Set<string>()
  readonly #isState: boolean
  /** True if records have all fields: a fact that no record has is then absent from the pages themselves. */
  #isWhole = false
  #haveAllStatus = true

  constructor(isState: boolean) {
    this.#isState = isState
  }

  add({ attempts, depth, hop }: RecordedVisit, facts: ReadFacts): void {
    for (const name of FACTS) if (facts[name] !== undefined) this.#seen.add(name)
    for (const name of Object.keys(facts.data ?? {}))
      if (this.#seen.size < MAX_DATA_FIELDS) this.#seen.add(DATA + name)
    this.#haveAllStatus &&= facts.status !== undefined
    // The crawler writes these three fields of each visit. Selected or exported fields seldom include all of them.
    this.#isWhole ||= attempts !== undefined && depth !== undefined && hop !== undefined
  }

  /** Returns whether the absence of a fact in a record says something about the page. */
  has(name: string): boolean {
    if (this.#isState) return OF_STATES.includes(name)
    if (this.#seen.has(name)) return true
    const isUncounted = name.startsWith(DATA) && this.#seen.size >= MAX_DATA_FIELDS
    return isUncounted || (this.#isWhole && name !== 'hash')
  }

  /** Returns the facts of this crawl that the other one can't have; none if the other one has no records. */
  missingIn(other: KnownFacts): string[] {
    if (other.#seen.size === 0) return []
    const isMissing = (name: string) => {
      // Pages without a hash get a remark of their own.
      if (name === 'hash' || other.has(name)) return false
      return name !== 'error' || !other.#haveAllStatus
    }
    return [...this.#seen].filter(isMissing)
  }
}

/** The facts of the first and of the second crawl. */
export type FactsOfBoth = readonly [KnownFacts, KnownFacts]

/**
 * Returns the facts of a visit that both crawls can have. If the statuses differ, the error is included, too: a visit
 * that failed may have an error in place of a status.
 * @param other the other crawl's facts of the same URL
 */
export function sharedFacts(
  { data, ...facts }: VisitFacts,
  other: VisitFacts,
  known: FactsOfBoth,
): VisitFacts {
  const isShared = (name: string) => known.every((each) => each.has(name))
  const isOtherStatus = isShared('status') && facts.status !== other.status
  const shared = Object.entries(facts).filter(([name]) => {
    return isShared(name) || (name === 'error' && isOtherStatus)
  })
  const fields = Object.entries(data ?? {}).filter(([name]) => isShared(DATA + name))
  return Object.fromEntries([
    ...shared,
    ...(fields.length > 0 ? [['data', Object.fromEntries(fields)]] : []),
  ])
}
