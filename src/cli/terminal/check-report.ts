import type { Summary } from '../../crawl/stats/stats.ts'
import { csvLine } from '../../encoding/csv-line.ts'
import { markdownLink, markdownText } from '../../encoding/escape-markdown.ts'
import { countOf } from '../../english-text.ts'
import type { JudgedLinks } from '../../inspect/check/judged-links.ts'
import type { CheckError, CheckResults } from '../../inspect/check/junit.ts'
import type { LinkFinding, LinkProblem } from '../../inspect/check/link-findings.ts'
import type { LinkRecorder } from '../../inspect/check/link-recorder.ts'
import { outcomeText } from '../../inspect/check/outcome-text.ts'
import { encodeJson } from '../../records/json-line.ts'
import {
  type CheckFiles,
  CheckTotals,
  INTERRUPTED,
  isPermanentRedirect,
  isTemporaryRedirect,
} from './check-totals.ts'
import type { PrintedLine } from './print.ts'

/** Number of pages up to which text lists a problem on each. Beyond it, as in a menu or a footer, text lists it once. */
const MAX_PAGES_OF_PROBLEM = 10
/** Width of the longest of LINK_PROBLEMS. */
const WORD_WIDTH = 8
const COLORS = { broken: 'red', fragment: 'yellow', redirect: 'cyan' } as const

const CSV_COLUMNS = [
  ...(['problem', 'to', 'from', 'status', 'redirectsTo'] as const),
  ...(['finalStatus', 'error', 'errorMessage', 'image'] as const),
]

/** Formats the findings of a link check for people and for programs. */
export class CheckReport {
  readonly #recorder: LinkRecorder
  readonly #judged: JudgedLinks
  readonly #summary: Summary
  readonly #totals: CheckTotals
  /** Number of pages by name of a problem, for problems of many pages; undefined until a format needs it. */
  #widespread: ReadonlyMap<string, number> | undefined

  constructor(recorder: LinkRecorder, summary: Summary, files: CheckFiles) {
    this.#recorder = recorder
    this.#judged = recorder.judge()
    this.#summary = summary
    this.#totals = new CheckTotals(recorder, this.#judged, summary, files)
  }

  /** Returns whether there are findings with these problems. */
  has(problems: ReadonlySet<LinkProblem>): boolean {
    return this.#totals.has(problems)
  }

  /** Returns the findings with these problems for JUnit XML, and the reasons why the check is incomplete. */
  resultsWith(problems: ReadonlySet<LinkProblem>): CheckResults {
    // A seed that is a finding is not an error as well.
    const seeds = new Set<string>()
    for (const { from, to } of this.#findingsWith(problems)) if (from === to) seeds.add(to)
    const errors = this.#errors.filter(({ name }) => !seeds.has(name))
    return { findings: this.#findingsWith(problems), errors, total: this.#totals.checked }
  }

  *#findingsWith(problems: ReadonlySet<LinkProblem>): Generator<LinkFinding> {
    for (const finding of this.#judged.findings()) if (problems.has(finding.problem)) yield finding
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

  /** Yields one JSON object. */
  *json(): Generator<PrintedLine> {
    let line = `${encodeJson(this.#totals.fields).slice(0, -1)},"findings":[`
    let separator = ''
    for (const finding of this.#judged.findings()) {
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
    yield* this.#totals.lines()
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
    yield* this.#totals.lines()
  }

  /** Yields a table of all findings as CSV. Its columns are fields of the JSON; an error has two. */
  *csv(): Generator<PrintedLine> {
    yield csvLine(CSV_COLUMNS)
    for (const finding of this.#judged.findings()) {
      const { error } = finding
      const cells = { ...finding, error: error?.code, errorMessage: error?.message }
      yield csvLine(CSV_COLUMNS.map((column) => cells[column]))
    }
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
    this.#widespread ??= new Map(
      this.#judged.widespread(MAX_PAGES_OF_PROBLEM).map((each) => [nameOf(each), each.pages]),
    )
    const listed = new Set<string>()
    for (const finding of this.#judged.findings()) {
      const name = nameOf(finding)
      if (listed.has(name) || !isShown(finding)) continue
      const pages = this.#widespread.get(name) ?? 1
      if (pages > 1) listed.add(name)
      yield { finding, others: pages - 1 }
    }
  }
}

/** A finding, and the number of other pages with the same one that are not listed. */
interface ListedFinding {
  readonly finding: LinkFinding
  readonly others: number
}

/** Returns a text that is the same for findings of several pages with the same link. */
function nameOf({ problem, to }: { readonly problem: string; readonly to: string }): string {
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
