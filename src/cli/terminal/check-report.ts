import type { Summary } from '../../crawl/stats/stats.ts'
import { formatCount } from '../../format-count.ts'
import type { LinkFinding, LinkProblem } from '../../inspect/check/link-findings.ts'
import type { LinkRecorder } from '../../inspect/check/link-recorder.ts'
import { outcomeText } from '../../inspect/check/outcome-text.ts'
import { encodeJson } from '../../records/json-line.ts'
import { countOf } from './number-format.ts'
import type { PrintedLine } from './print.ts'
import { SKIP_REASON_TEXT } from './skip-reason-text.ts'

/** Permanent redirects: links should be changed to the new URL. */
const PERMANENT_REDIRECTS: ReadonlySet<number> = new Set([301, 308])
/** Reasons for not checking a link; the others apply to non-http links and known URLs. */
const UNCHECKED_REASONS = [
  'out-of-scope',
  'nofollow',
  'excluded',
  'slow-pattern',
  'logout',
  'login',
  'depth',
  'robots',
  'host-failed',
  'trap',
  'limit',
  'domain-limit',
]
/** Width of the longest of LINK_PROBLEMS. */
const WORD_WIDTH = 8
const COLORS = { broken: 'red', fragment: 'yellow', redirect: 'cyan' } as const

/** Formats the findings of a link check for people and for programs. */
export class CheckReport {
  readonly #recorder: LinkRecorder
  readonly #summary: Summary
  readonly #counts = { broken: 0, fragment: 0, redirect: 0 }
  /** Number of redirects that the text doesn't list. */
  #temporary = 0

  constructor(recorder: LinkRecorder, summary: Summary) {
    this.#recorder = recorder
    this.#summary = summary
    for (const finding of recorder.findings()) {
      this.#counts[finding.problem]++
      if (finding.problem === 'redirect' && !isPermanentRedirect(finding)) this.#temporary++
    }
  }

  has(problems: ReadonlySet<LinkProblem>): boolean {
    return [...problems].some((problem) => this.#counts[problem] > 0)
  }

  *findingsWith(problems: ReadonlySet<LinkProblem>): Generator<LinkFinding> {
    for (const finding of this.#recorder.findings())
      if (problems.has(finding.problem)) yield finding
  }

  /** Number of checked links and pages, as a sentence. */
  get total(): string {
    const { links, onlyImages, pages } = this.#recorder
    const checked = onlyImages ? this.#images : countOf(links, 'link')
    return `${checked} on ${countOf(pages, 'page')} checked.`
  }

  get #images(): string {
    const { images, distinctImages } = this.#recorder
    const distinct = countOf(distinctImages, 'image')
    return images === distinctImages ? distinct : `${countOf(images, 'use')} of ${distinct}`
  }

  /** Numbers of problems. Images have no fragments. */
  get #problems(): string {
    const { broken, fragment, redirect } = this.#counts
    const { onlyImages, uncheckedImages } = this.#recorder
    return [
      `${formatCount(broken)} broken`,
      ...(onlyImages && uncheckedImages > 0 ? [`${formatCount(uncheckedImages)} not checked`] : []),
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

  /** Yields one JSON object. */
  *json(): Generator<PrintedLine> {
    const { images, distinctImages, uncheckedImages, links, pages } = this.#recorder
    const head = {
      pages,
      links,
      images,
      distinctImages,
      uncheckedImages,
      ...this.#counts,
      unchecked: this.#unchecked,
    }
    let line = `${encodeJson(head).slice(0, -1)},"findings":[`
    let separator = ''
    for (const finding of this.#recorder.findings()) {
      yield line + separator
      separator = ','
      line = encodeJson(finding)
    }
    yield line
    yield ']}'
  }

  /** Yields problems page by page, then permanent redirects, then a summary. */
  *text(): Generator<PrintedLine> {
    yield* this.#pages(({ problem }) => problem !== 'redirect')
    yield* this.#pages(isPermanentRedirect)
    yield `${this.total} ${this.#problems}.`
    const unchecked = Object.entries(this.#unchecked)
    const words = unchecked.map(
      ([reason, urls]) => `${formatCount(urls)} ${SKIP_REASON_TEXT[reason]}`,
    )
    if (words.length > 0) yield `URLs that were not checked: ${words.join('; ')}.`
  }

  /** Yields some of the findings, with an empty line after each page. */
  *#pages(isShown: (finding: LinkFinding) => boolean): Generator<PrintedLine> {
    let page = ''
    for (const finding of this.#recorder.findings()) {
      if (!isShown(finding)) continue
      const { from } = finding
      if (from !== page && page !== '') yield ''
      if (from !== page) yield from
      page = from
      yield lineOf(finding)
    }
    if (page !== '') yield ''
  }

  get #unchecked(): Record<string, number> {
    const { skipped } = this.#summary
    return Object.fromEntries(
      UNCHECKED_REASONS.flatMap((reason) => {
        const urls = skipped[reason] ?? 0
        return urls > 0 ? [[reason, urls]] : []
      }),
    )
  }
}

function lineOf(finding: LinkFinding): PrintedLine {
  const { problem, to } = finding
  const color = COLORS[problem]
  const word = { text: problem.padEnd(WORD_WIDTH), color }
  return ['  ', word, `  ${to}  `, { text: outcomeText(finding), color }]
}

function isPermanentRedirect({ problem, status = 0 }: LinkFinding): boolean {
  return problem === 'redirect' && PERMANENT_REDIRECTS.has(status)
}
