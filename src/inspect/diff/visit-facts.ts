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
  /** SHA-256 of the body, if both crawls have it. */
  readonly hash?: string
  /** The data that `--extract`, `--text` and hooks found, by field. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** Facts as read: those that are undefined are absent. */
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
    // Fields come in the order of the options.
    data: isObject(data) ? Object.fromEntries(Object.entries(data).sort()) : undefined,
  }
}

/** The facts but for `data`. */
const FACTS = [
  ...(['status', 'error', 'redirectsTo', 'contentType', 'bytes', 'title'] as const),
  ...(['noindex', 'canonical', 'links', 'hash'] as const),
]
/** Facts that a directory of `--state` has. */
const OF_STATES: readonly string[] = ['status', 'error', 'bytes', 'hash']
/** Fields of data that are told apart; hooks may add any number. */
const MAX_DATA_FIELDS = 1_000

/** Which facts the records of a crawl can have, by name; fields of data as `data.name`. */
export class KnownFacts {
  readonly #seen = new Set<string>()
  readonly #isState: boolean
  /** A record has all fields: what no record has is absent from the pages. */
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
    // Selected or exported fields are seldom these three, of which the crawler omits none.
    this.#isWhole ||= attempts !== undefined && depth !== undefined && hop !== undefined
  }

  /** Returns whether the absence of a fact in a record says something about the page. */
  has(name: string): boolean {
    if (this.#isState) return OF_STATES.includes(name)
    if (this.#seen.has(name)) return true
    const isUncounted = name.startsWith(DATA) && this.#seen.size >= MAX_DATA_FIELDS
    return isUncounted || (this.#isWhole && name !== 'hash')
  }

  /** Returns the facts of records that another crawl can't have; none if that one has no records. */
  missingIn(other: KnownFacts): string[] {
    if (other.#seen.size === 0) return []
    const isMissing = (name: string) => {
      // That pages were not compared by their hash is said in another way.
      if (name === 'hash' || other.has(name)) return false
      return name !== 'error' || !other.#haveAllStatus
    }
    return [...this.#seen].filter(isMissing)
  }
}

/** The facts of the first and of the second crawl. */
export type FactsOfBoth = readonly [KnownFacts, KnownFacts]

/**
 * Returns the facts of a visit that both crawls can have. The error of a visit without a status counts as its status.
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
