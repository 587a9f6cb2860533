import type { Config } from '../../config/schema.ts'
import type { Summary } from '../../crawl/stats/stats.ts'
import { csvLine } from '../../encoding/csv-line.ts'
import { markdownLink, markdownText } from '../../encoding/escape-markdown.ts'
import { countOf, formatCount } from '../../english-text.ts'
import type { CheckError, CheckResults } from '../../inspect/check/junit.ts'
import type { LinkFinding, LinkProblem } from '../../inspect/check/link-findings.ts'
import type { LinkRecorder } from '../../inspect/check/link-recorder.ts'
import { outcomeText } from '../../inspect/check/outcome-text.ts'
import { encodeJson } from '../../records/json-line.ts'
import { SKIP_REASONS, type SkipReason } from '../../records/skip.ts'
import type { PrintedLine } from './print.ts'
import { leftOverText, SKIP_REASON_TEXT } from './skip-reason-text.ts'

/** Statuses of permanent redirects: links should be changed to the new URL. */
const PERMANENT_REDIRECTS: ReadonlySet<number> = new Set([301, 308])
/** Reasons that don't count as not checked: links that aren't http, findings, and `--dry-run`, which no check has. */
const OTHER_REASONS: ReadonlySet<SkipReason> = new Set(['scheme', 'invalid-url', 'dry-run'])
const UNCHECKED_REASONS = SKIP_REASONS.filter((reason) => !OTHER_REASONS.has(reason))
/** Number of pages up to which text lists a problem on each. Beyond it, as in a menu or a footer, text lists it once. */
const MAX_PAGES_OF_PROBLEM = 10
/** Width of the longest of LINK_PROBLEMS. */
const WORD_WIDTH = 8
const INTERRUPTED = 'The check was interrupted, so it is incomplete.'
const COLORS = { broken: 'red', fragment: 'yellow', redirect: 'cyan' } as const

const CSV_COLUMNS = [
  ...(['problem', 'to', 'from', 'status', 'redirectsTo'] as const),
  ...(['finalStatus', 'error', 'errorMessage', 'image'] as const),
]

/** Formats the findings of a link check for people and for programs. */
export class CheckReport {
  readonly #recorder: LinkRecorder
  readonly #summary: Summary
  /** A config file that was found in the working directory. */
  readonly #configFile: string | undefined
  /** The file of `--baseline`. */
  readonly #baseline: string | undefined
  readonly #counts = { broken: 0, fragment: 0, redirect: 0 }
  /** Number of redirects that the text doesn't list. */
  #temporary = 0

  constructor(
    recorder: LinkRecorder,
    summary: Summary,
    { foundFile, baseline }: Pick<Config, 'foundFile'> & { readonly baseline?: string | undefined },
  ) {
    this.#recorder = recorder
    this.#summary = summary
    this.#configFile = foundFile
    this.#baseline = baseline
    for (const finding of recorder.findings()) {
      this.#counts[finding.problem]++
      if (isTemporaryRedirect(finding)) this.#temporary++
    }
  }

  has(problems: ReadonlySet<LinkProblem>): boolean {
    return [...problems].some((problem) => this.#counts[problem] > 0)
  }

  /** Returns the findings with these problems for JUnit XML, and the reasons why the check is incomplete. */
  resultsWith(problems: ReadonlySet<LinkProblem>): CheckResults {
    // A seed that is a finding is not an error as well.
    const seeds = new Set<string>()
    for (const { from, to } of this.#findingsWith(problems)) if (from === to) seeds.add(to)
    const errors = this.#errors.filter(({ name }) => !seeds.has(name))
    return { findings: this.#findingsWith(problems), errors, total: this.total }
  }

  *#findingsWith(problems: ReadonlySet<LinkProblem>): Generator<LinkFinding> {
    for (const finding of this.#recorder.findings())
      if (problems.has(finding.problem)) yield finding
  }

  get #errors(): CheckError[] {
    const { reason, seedsAnswered, seedFailures } = this.#summary
    const failed = seedsAnswered === 0 ? seedFailures : []
    return [
      ...(reason === 'stopped'
        ? [{ name: 'all', type: 'interrupted', message: INTERRUPTED } as const]
        : []),
      ...failed.map(({ url, reason: message }) => ({ name: url, type: 'seed', message }) as const),
    ]
  }

  /** Numbers of checked links and pages, and of links that were not checked, as a sentence. */
  get total(): string {
    const { distinctImages, links, onlyImages, pages, unchecked, uncheckedImages } = this.#recorder
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

  /** Yields one JSON object. */
  *json(): Generator<PrintedLine> {
    const { images, distinctImages, links, onlyImages, pages } = this.#recorder
    const { known, unchecked, uncheckedImages } = this.#recorder
    const head = {
      pages,
      links,
      images,
      distinctImages,
      ...(!onlyImages && {
        checkedLinks: links - unchecked,
        uncheckedLinks: unchecked,
      }),
      uncheckedImages,
      ...this.#counts,
      cached: this.#recorder.hasCache ? this.#recorder.cached : undefined,
      known: this.#baseline === undefined ? undefined : known,
      unchecked: this.#skipped,
      reason: this.#summary.reason,
      configFile: this.#configFile,
    }
    let line = `${encodeJson(head).slice(0, -1)},"findings":[`
    let separator = ''
    for (const finding of this.#recorder.findings()) {
      yield line + separator
      separator = ','
      line = encodeJson(finding)
    }
    yield line
    yield '],"truncatedPages":['
    separator = ''
    for (const url of this.#recorder.truncatedUrls()) {
      yield separator + encodeJson(url)
      separator = ','
    }
    yield ']}'
  }

  /** Yields problems page by page, then permanent redirects, then a summary. */
  *text(): Generator<PrintedLine> {
    yield* this.#pages(({ problem }) => problem !== 'redirect')
    yield* this.#pages(isPermanentRedirect)
    yield* this.#truncatedPages((url) => `  ${url}`)
    yield* this.#summaryLines()
  }

  /** Yields a table of the problems and permanent redirects in Markdown, for comments and pages of CI servers. */
  *md(): Generator<PrintedLine> {
    let isEmpty = true
    for (const { finding, others } of this.#listed((each) => !isTemporaryRedirect(each))) {
      if (isEmpty) yield* ['| Problem | Link | Page | Response |', '|---|---|---|---|']
      isEmpty = false
      const { problem, from, to } = finding
      const outcome = markdownText(outcomeText(finding)) + onOthers(others)
      yield `| ${problem} | ${markdownLink(to)} | ${markdownLink(from)} | ${outcome} |`
    }
    if (!isEmpty) yield ''
    yield* this.#truncatedPages((url) => `- ${markdownLink(url)}`)
    yield* this.#summaryLines()
  }

  /** Yields a table of all findings as CSV. Its columns are fields of the JSON; an error has two. */
  *csv(): Generator<PrintedLine> {
    yield csvLine(CSV_COLUMNS)
    for (const finding of this.#recorder.findings()) {
      const { error } = finding
      const cells = { ...finding, error: error?.code, errorMessage: error?.message }
      yield csvLine(CSV_COLUMNS.map((column) => cells[column]))
    }
  }

  *#summaryLines(): Generator<string> {
    yield `${this.total} ${this.#problems}.`
    const { known } = this.#recorder
    if (known > 0) yield `${countOf(known, 'known problem')} of ${this.#baseline} not listed.`
    const { cached } = this.#recorder
    if (cached > 0)
      yield `${countOf(cached, 'URL')} not requested, since ${cached === 1 ? 'it is' : 'they are'} in the cache.`
    const words = Object.entries(this.#skipped).map(([reason, urls]) => {
      const text = reason === 'limit' ? leftOverText(this.#summary) : SKIP_REASON_TEXT[reason]
      return `${formatCount(urls)} ${text}`
    })
    if (words.length > 0) yield `URLs that were not checked: ${words.join('; ')}.`
    if (this.#summary.reason === 'stopped') yield INTERRUPTED
    if (this.#configFile !== undefined) yield `Settings from ${this.#configFile}.`
  }

  *#truncatedPages(itemOf: (url: string) => string): Generator<string> {
    const urls = [...this.#recorder.truncatedUrls()]
    if (urls.length === 0) return
    yield `${countOf(urls.length, 'page')} read in part (--max-body, or the response ended early), without further links:`
    for (const url of urls) yield itemOf(url)
    yield ''
  }

  /** Yields some of the findings, with an empty line after each page. */
  *#pages(isShown: (finding: LinkFinding) => boolean): Generator<PrintedLine> {
    let page = ''
    for (const { finding, others } of this.#listed(isShown)) {
      const { from } = finding
      if (from !== page && page !== '') yield ''
      if (from !== page) yield from
      page = from
      yield lineOf(finding, others)
    }
    if (page !== '') yield ''
  }

  /** Yields some of the findings. One that many pages have comes once, with the number of `others`. */
  *#listed(isShown: (finding: LinkFinding) => boolean): Generator<ListedFinding> {
    const widespread = new Map(
      this.#recorder.widespread(MAX_PAGES_OF_PROBLEM).map((each) => [nameOf(each), each.pages]),
    )
    const listed = new Set<string>()
    for (const finding of this.#recorder.findings()) {
      const name = nameOf(finding)
      if (listed.has(name) || !isShown(finding)) continue
      const pages = widespread.get(name) ?? 1
      if (pages > 1) listed.add(name)
      yield { finding, others: pages - 1 }
    }
  }

  /** Numbers of URLs that were not requested, by reason. */
  get #skipped(): Record<string, number> {
    const { skipped } = this.#summary
    // A URL with `nofollow` on one page may be checked for another page that links to it.
    const areAllChecked = this.#recorder.unchecked === 0 && !this.#recorder.onlyImages
    return Object.fromEntries(
      UNCHECKED_REASONS.flatMap((reason) => {
        if (reason === 'nofollow' && areAllChecked) return []
        const urls = skipped[reason] ?? 0
        return urls > 0 ? [[reason, urls]] : []
      }),
    )
  }
}

/** A finding, and the number of other pages with the same one that are not listed. */
interface ListedFinding {
  readonly finding: LinkFinding
  readonly others: number
}

/** Returns a text that is the same for findings of several pages with the same link. */
function nameOf({ problem, to }: Pick<LinkFinding, 'problem' | 'to'>): string {
  return `${problem} ${to}`
}

function onOthers(others: number): string {
  return others === 0 ? '' : ` (also on ${countOf(others, 'other page')})`
}

function lineOf(finding: LinkFinding, others: number): PrintedLine {
  const { problem, to } = finding
  const color = COLORS[problem]
  const word = { text: problem.padEnd(WORD_WIDTH), color }
  return ['  ', word, `  ${to}  `, { text: outcomeText(finding), color }, onOthers(others)]
}

function isPermanentRedirect({ problem, status = 0 }: LinkFinding): boolean {
  return problem === 'redirect' && PERMANENT_REDIRECTS.has(status)
}

function isTemporaryRedirect(finding: LinkFinding): boolean {
  return finding.problem === 'redirect' && !isPermanentRedirect(finding)
}
