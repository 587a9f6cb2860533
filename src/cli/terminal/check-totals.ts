import type { Config } from '../../config/schema.ts'
import type { Summary } from '../../crawl/stats/stats.ts'
import { countOf, formatCount } from '../../english-text.ts'
import type { JudgedLinks } from '../../inspect/check/judged-links.ts'
import type { LinkFinding, LinkProblem } from '../../inspect/check/link-findings.ts'
import type { LinkRecorder } from '../../inspect/check/link-recorder.ts'
import { SKIP_REASONS, type SkipReason } from '../../records/skip.ts'
import { leftOverText, SKIP_REASON_TEXT } from './skip-reason-text.ts'

/** Statuses of permanent redirects: links should be changed to the new URL. */
const PERMANENT_REDIRECTS: ReadonlySet<number> = new Set([301, 308])
/** Reasons that don't count as not checked: links that aren't http, findings, and `--dry-run`, which no check has. */
const OTHER_REASONS: ReadonlySet<SkipReason> = new Set(['scheme', 'invalid-url', 'dry-run'])
const UNCHECKED_REASONS = SKIP_REASONS.filter((reason) => !OTHER_REASONS.has(reason))
export const INTERRUPTED = 'The check was interrupted, so it is incomplete.'

/** Files that a check has read. */
export interface CheckFiles extends Pick<Config, 'foundFile'> {
  /** The file of `--baseline`. */
  readonly baseline: string | undefined
}

/** The numbers of a link check, as fields and as sentences. */
export class CheckTotals {
  readonly #recorder: LinkRecorder
  readonly #judged: JudgedLinks
  readonly #summary: Summary
  readonly #files: CheckFiles
  readonly #counts = { broken: 0, fragment: 0, redirect: 0 }
  /** Number of redirects that the text doesn't list. */
  #temporary = 0

  constructor(recorder: LinkRecorder, judged: JudgedLinks, summary: Summary, files: CheckFiles) {
    this.#recorder = recorder
    this.#judged = judged
    this.#summary = summary
    this.#files = files
    for (const finding of judged.findings()) {
      this.#counts[finding.problem]++
      if (isTemporaryRedirect(finding)) this.#temporary++
    }
  }

  has(problems: ReadonlySet<LinkProblem>): boolean {
    return [...problems].some((problem) => this.#counts[problem] > 0)
  }

  /** Numbers of checked links and pages, and of links that were not checked, as a sentence. */
  get checked(): string {
    const { distinctImages, links, onlyImages, pages } = this.#recorder
    const { unchecked, uncheckedImages } = this.#judged
    const all = onlyImages ? this.#images : countOf(links, 'link')
    const on = `on ${countOf(pages, 'page')}`
    if (unchecked === 0) return `${all} ${on} checked.`
    const [whole, others] = onlyImages ? [distinctImages, uncheckedImages] : [links, unchecked]
    return `${all} ${on}: ${formatCount(whole - others)} checked, ${formatCount(others)} not checked.`
  }

  get #images(): string {
    const { images, distinctImages } = this.#recorder
    const distinct = countOf(distinctImages, 'image')
    return images === distinctImages ? distinct : `${countOf(images, 'use')} of ${distinct}`
  }

  /** Numbers of problems, in words. Images have no fragments. */
  get #problems(): string {
    const { broken, fragment, redirect } = this.#counts
    const { onlyImages } = this.#recorder
    return [
      `${formatCount(broken)} broken`,
      ...(onlyImages ? [] : [countOf(fragment, 'missing fragment')]),
      ...(onlyImages && redirect === 0 ? [] : [this.#redirects]),
    ].join(', ')
  }

  get #redirects(): string {
    const all = countOf(this.#counts.redirect, 'redirect')
    return this.#temporary === 0
      ? all
      : `${all} (${formatCount(this.#temporary)} temporary, not listed)`
  }

  /** The numbers as fields of JSON. */
  get fields() {
    const { cached, distinctImages, hasCache, images, links, onlyImages, pages } = this.#recorder
    const { known, unchecked, uncheckedImages } = this.#judged
    const { baseline, foundFile } = this.#files
    return {
      pages,
      links,
      images,
      distinctImages,
      ...(!onlyImages && { checkedLinks: links - unchecked, uncheckedLinks: unchecked }),
      uncheckedImages,
      ...this.#counts,
      cached: hasCache ? cached : undefined,
      known: baseline === undefined ? undefined : known,
      unchecked: this.#skipped,
      reason: this.#summary.reason,
      configFile: foundFile,
    }
  }

  /** Yields sentences about the check. */
  *lines(): Generator<string> {
    yield `${this.checked} ${this.#problems}.`
    const { known } = this.#judged
    if (known > 0) yield `${countOf(known, 'known problem')} of ${this.#files.baseline} not listed.`
    const { cached } = this.#recorder
    if (cached > 0)
      yield `${countOf(cached, 'URL')} not requested, since ${cached === 1 ? 'it is' : 'they are'} in the cache.`
    const words = Object.entries(this.#skipped).map(([reason, urls]) => {
      const text = reason === 'limit' ? leftOverText(this.#summary) : SKIP_REASON_TEXT[reason]
      return `${formatCount(urls)} ${text}`
    })
    if (words.length > 0) yield `URLs that were not checked: ${words.join('; ')}.`
    if (this.#summary.reason === 'stopped') yield INTERRUPTED
    if (this.#files.foundFile !== undefined) yield `Settings from ${this.#files.foundFile}.`
  }

  /** Numbers of URLs that were not requested, by reason. */
  get #skipped(): Record<string, number> {
    const { skipped } = this.#summary
    // A URL with `nofollow` on one page may be checked for another page that links to it.
    const areAllChecked = this.#judged.unchecked === 0 && !this.#recorder.onlyImages
    return Object.fromEntries(
      UNCHECKED_REASONS.flatMap((reason) => {
        if (reason === 'nofollow' && areAllChecked) return []
        const urls = skipped[reason] ?? 0
        return urls > 0 ? [[reason, urls]] : []
      }),
    )
  }
}

export function isPermanentRedirect({ problem, status = 0 }: LinkFinding): boolean {
  return problem === 'redirect' && PERMANENT_REDIRECTS.has(status)
}

export function isTemporaryRedirect(finding: LinkFinding): boolean {
  return finding.problem === 'redirect' && !isPermanentRedirect(finding)
}
