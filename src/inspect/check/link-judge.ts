import type { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../config/schema.ts'
import { countOf } from '../../english-text.ts'
import type { ErrorCode } from '../../records/error-code.ts'
import { isRedirect } from '../../records/redirect-status.ts'
import { CanonicalRules } from '../../url/canonical-rules.ts'
import { withoutFragment } from '../../url/fragment.ts'
import { redirectLoop } from '../redirect-loop.ts'
import type { Baseline } from './baseline.ts'
import { hasTarget } from './fragment.ts'
import type { LinkFinding } from './link-findings.ts'
import { PageAnchors } from './page-anchors.ts'

/** A link without its outcome. */
type NamedLink = Pick<LinkFinding, 'from' | 'to' | 'image'>

/**
 * A link with a problem; an `unchecked` link, which leads, directly or by redirects, to a URL that was not requested; or
 * a link whose problem is `known` from an earlier check.
 */
export type LinkVerdict = LinkFinding | (NamedLink & { readonly problem: 'unchecked' | 'known' })

/** The problems that a check tolerates. */
export interface LinkCriteria {
  /** Statuses from 400 that don't count as broken. */
  readonly accepted?: ReadonlySet<number>
  /** The problems that don't count, since they are known. */
  readonly baseline?: Baseline | undefined
}

/** Outcome of a URL. */
interface TargetOutcome {
  readonly status: number | null
  readonly error: string | null
  readonly message: string | null
  readonly target: string | null
  /** Code of the reason why the response can't be an image. */
  readonly defect: string | null
  /** The same reason in words. */
  readonly why: string | null
}

interface LinkRow extends TargetOutcome {
  readonly source: string
  readonly url: string
  readonly fragment: string
  readonly invalid: number
  readonly image: number
}

/** Tables of the links of each page and the outcome of each URL. */
export const LINK_TABLES = `
  CREATE TABLE visits (
    url TEXT PRIMARY KEY, seed INTEGER, status INTEGER, error TEXT, message TEXT, target TEXT,
    defect TEXT, why TEXT, external INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT UNIQUE, anchors TEXT, truncated INTEGER);
  CREATE TABLE links (id INTEGER PRIMARY KEY, page INTEGER, target TEXT, fragment TEXT, invalid INTEGER,
    image INTEGER)`

const SUSPECTS = `
  SELECT pages.url AS source, links.target AS url, fragment, invalid, image, status, error, message, visits.target, defect, why
  FROM links JOIN pages ON pages.id = links.page LEFT JOIN visits ON visits.url = links.target
  WHERE invalid OR status >= 300 OR error IS NOT NULL OR visits.url IS NULL OR fragment <> '' OR (image AND defect IS NOT NULL)
  ORDER BY links.id`
const SEEDS = `
  SELECT url AS source, url, '' AS fragment, 0 AS invalid, 0 AS image, status, error, message, target, defect, why
  FROM visits WHERE seed = 1 AND (status >= 300 OR error IS NOT NULL) ORDER BY url`
const OUTCOME = 'SELECT status, error, message, target, defect, why FROM visits WHERE url = ?'

/** The settings that decide where redirects lead. */
export type RedirectSettings = Pick<Config, 'maxRedirects' | 'canonicalize' | 'stripQuery'>

/** Judges links by the outcomes of their URLs, after the end of a crawl. */
export class LinkJudge {
  readonly #maxRedirects: number
  readonly #rules: CanonicalRules
  readonly #accepted: ReadonlySet<number>
  readonly #baseline: Baseline | undefined
  readonly #seeds
  readonly #suspects
  readonly #outcome
  readonly #anchors: PageAnchors

  constructor(
    database: DatabaseSync,
    { maxRedirects, canonicalize, stripQuery }: RedirectSettings,
    { accepted = new Set(), baseline }: LinkCriteria,
  ) {
    this.#maxRedirects = maxRedirects
    this.#rules = new CanonicalRules(canonicalize, stripQuery)
    this.#accepted = accepted
    this.#baseline = baseline
    this.#seeds = database.prepare(SEEDS)
    this.#suspects = database.prepare(SUSPECTS)
    this.#outcome = database.prepare(OUTCOME)
    this.#anchors = new PageAnchors(database)
  }

  /** Yields the links with problems, and those that were not checked. */
  *verdicts(): Generator<LinkVerdict> {
    for (const verdict of this.#allVerdicts()) {
      yield this.#baseline?.has(verdict) ? { ...nameOf(verdict), problem: 'known' } : verdict
    }
  }

  *#allVerdicts(): Generator<LinkVerdict> {
    for (const row of this.#seeds.iterate()) {
      const verdict = this.#verdictOf(row as unknown as LinkRow)
      // Users don't need to know that their seed redirects.
      if (verdict?.problem === 'broken') yield verdict
    }
    for (const row of this.#suspects.iterate()) {
      const verdict = this.#verdictOf(row as unknown as LinkRow)
      if (verdict !== undefined) yield verdict
    }
  }

  #verdictOf(row: LinkRow): LinkVerdict | undefined {
    const { source: from, url, fragment, invalid, image, status } = row
    const named = { from, to: url + fragment, ...(image === 1 && { image: true as const }) }
    if (invalid === 1) {
      const error = { code: 'invalid-url', message: 'expected a URL' }
      return { problem: 'broken', ...named, error }
    }
    if (!wasRequested(row)) return { problem: 'unchecked', ...named }
    const link = { ...named, ...(status !== null && { status }) }
    if (row.target !== null && row.error === null) return this.#verdictOnRedirect(link, row.target)
    if (this.#isBroken(row)) return { problem: 'broken', ...link, ...errorOf(row) }
    if (image === 1 && row.defect !== null) return { problem: 'broken', ...link, ...defectOf(row) }
    const names = fragment === '' || status === null ? undefined : this.#anchors.of(url)
    const isThere = names === undefined || hasTarget(fragment, names)
    return isThere ? undefined : { problem: 'fragment', ...link }
  }

  /** Follows a redirect. A URL is fetched only once, so a loop has to be detected here. */
  #verdictOnRedirect(link: Omit<LinkFinding, 'problem'>, first: string): LinkVerdict {
    const met = new Set([withoutFragment(link.to)])
    for (let url = first; ; ) {
      const outcome = this.#outcomeOf(url)
      // If `--canonicalize` merges the target with a URL that redirects to it, the target is never requested.
      if (outcome === undefined || (outcome.url !== url && met.has(outcome.url)))
        return { problem: 'unchecked', ...nameOf(link) }
      if (met.has(outcome.url))
        return { problem: 'broken', ...link, ...errorOf(redirectLoop(url, met.size)) }
      if (this.#isBroken(outcome)) {
        const { status } = outcome
        const end = { ...(status !== null && { finalStatus: status }), ...errorOf(outcome) }
        return { problem: 'broken', ...link, redirectsTo: url, ...end }
      }
      const { target } = outcome
      if (target === null) return endOfRedirect(link, url, outcome)
      met.add(outcome.url)
      if (met.size > this.#maxRedirects) {
        return { problem: 'broken', ...link, ...errorOf(tooManyRedirects(this.#maxRedirects)) }
      }
      url = target
    }
  }

  #isBroken({ status, error, target }: TargetOutcome): boolean {
    if (status !== null && this.#accepted.has(status)) return false
    const leadsNowhere = status !== null && isRedirect(status) && target === null
    return error !== null || (status ?? 0) >= 400 || leadsNowhere
  }

  /** Returns the outcome of a URL, or of the one that `--canonicalize` merged it with; undefined if neither was requested. */
  #outcomeOf(url: string): (TargetOutcome & { readonly url: string }) | undefined {
    for (const name of [url, this.#rules.apply(url)]) {
      const outcome = this.#outcome.get(name) as TargetOutcome | undefined
      if (outcome !== undefined) return { ...outcome, url: name }
    }
    return undefined
  }
}

/** Returns the finding for a link that redirects to a response. */
function endOfRedirect(
  link: Omit<LinkFinding, 'problem'>,
  redirectsTo: string,
  outcome: Pick<TargetOutcome, 'defect' | 'why'>,
): LinkFinding {
  if (link.image !== true || outcome.defect === null)
    return { problem: 'redirect', ...link, redirectsTo }
  return { problem: 'broken', ...link, redirectsTo, ...defectOf(outcome) }
}

/** Returns a link without its outcome. */
function nameOf({ from, to, image }: NamedLink): NamedLink {
  return { from, to, ...(image === true && { image }) }
}

/** Returns whether a URL has a record. Each record has a status or an error. */
function wasRequested({ status, error }: TargetOutcome): boolean {
  return status !== null || error !== null
}

function errorOf({ error, message }: Pick<TargetOutcome, 'error' | 'message'>) {
  return error === null ? {} : { error: { code: error, message: message ?? '' } }
}

function defectOf({ defect, why }: Pick<TargetOutcome, 'defect' | 'why'>) {
  return errorOf({ error: defect, message: why })
}

function tooManyRedirects(most: number): Pick<TargetOutcome, 'error' | 'message'> {
  const code: ErrorCode = 'too-many-redirects'
  return { error: code, message: `more than ${countOf(most, 'redirect')} in a row` }
}
