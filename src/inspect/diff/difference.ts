import { type FactsOfBoth, sharedFacts, type VisitFacts } from './visit-facts.ts'

/** `status` if the status or the error differs; `changed` if only other facts differ. */
export type DifferenceKind = 'added' | 'gone' | 'status' | 'changed'

/** One URL on which two crawls differ. */
export interface Difference {
  readonly kind: DifferenceKind
  readonly url: string
  /**
   * Facts of the first crawl that differ in the second; absent for an added URL. For the kind
   * `status`, the status and the error are always included.
   */
  readonly before?: VisitFacts
  /** Facts of the second crawl that differ in the first; absent for a gone URL. */
  readonly after?: VisitFacts
  /**
   * For a gone URL: a page that leads to it and is the same in both crawls. The second crawl may have ended before it
   * reached the URL.
   */
  readonly linkedFrom?: string
}

/** The facts of a URL in the first and the second crawl, as JSON; undefined in a crawl that did not visit it. */
interface JsonFacts {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Returns the difference between two crawls on a URL; undefined if there is none. */
export function differenceOf(
  url: string,
  { before, after }: JsonFacts,
  known: FactsOfBoth,
): Difference | undefined {
  if (before === after) return undefined
  if (before === undefined) return { kind: 'added', url, after: JSON.parse(after ?? '{}') }
  if (after === undefined) return { kind: 'gone', url, before: JSON.parse(before) }
  const [one, other]: [VisitFacts, VisitFacts] = [JSON.parse(before), JSON.parse(after)]
  return changeOf(url, sharedFacts(one, other, known), sharedFacts(other, one, known))
}

/** Returns whether a record only says that nothing has changed since an earlier record of the same URL, both as JSON. */
export function isUnmodifiedSince(earlier: string | undefined, later: string): boolean {
  if (earlier === undefined) return false
  return isUnmodified(JSON.parse(later)) && isSuccess(JSON.parse(earlier))
}

function changeOf(url: string, one: VisitFacts, other: VisitFacts): Difference | undefined {
  if ((isUnmodified(one) && isSuccess(other)) || (isUnmodified(other) && isSuccess(one)))
    return undefined
  const [a, b] = [withSharedHash(one, other), withSharedHash(other, one)]
  const isStatus = a.status !== b.status || a.error !== b.error
  const outcomeOf = ({ status, error }: VisitFacts): VisitFacts => ({
    ...(isStatus && status !== undefined ? { status } : {}),
    ...(isStatus && error !== undefined ? { error } : {}),
  })
  const difference: Difference = {
    ...{ kind: isStatus ? 'status' : 'changed', url },
    before: { ...outcomeOf(a), ...differingFacts(a, b) },
    after: { ...outcomeOf(b), ...differingFacts(b, a) },
  }
  const isEmpty = [difference.before, difference.after].every(
    (facts = {}) => Object.keys(facts).length === 0,
  )
  return isEmpty ? undefined : difference
}

/** Drops the hash if only one of the crawls has it. */
function withSharedHash({ hash, ...facts }: VisitFacts, other: VisitFacts): VisitFacts {
  return hash === undefined || other.hash === undefined ? facts : { ...facts, hash }
}

/** A crawl that visits pages again sends conditional requests; 304 means that nothing changed. */
const isUnmodified = ({ status, error }: VisitFacts) => status === 304 && error === undefined
const isSuccess = ({ status = 0, error }: VisitFacts) => status < 400 && error === undefined

/** Returns the facts and the fields of data that are different in the other visit. */
function differingFacts(facts: VisitFacts, other: VisitFacts): VisitFacts {
  const { data: fields = {}, ...rest } = facts
  const data = differing(fields, { ...other.data })
  return { ...differing(rest, { ...other }), ...(Object.keys(data).length > 0 && { data }) }
}

function differing(
  values: object,
  others: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(others[name]) !== JSON.stringify(value)
  return Object.fromEntries(Object.entries(values).filter(isOther))
}
