import type { Summary } from '../../crawl/stats/stats.ts'
import { outcomeText } from '../../inspect/check/junit.ts'
import type { LinkBook } from '../../inspect/check/link-book.ts'
import type { LinkFinding, LinkProblem } from '../../inspect/check/links.ts'
import { encodeJson } from '../../records/json-line.ts'
import { count, counted } from './number-text.ts'
import type { PrintedLine } from './print.ts'
import { SKIP_WORDS } from './skip-words.ts'

/** Redirects that will stay: whoever has the link should have the other one. */
const FOR_GOOD: ReadonlySet<number> = new Set([301, 308])
/** What keeps a link from being checked; others are no http links, or were known. */
const UNCHECKED = ['nofollow', 'excluded', 'depth', 'robots', 'host-failed', 'trap', 'limit']
const COLORS = { broken: 'red', fragment: 'yellow', redirect: 'cyan' } as const

/** What a check of links found, for people and for programs. */
export class CheckReport {
  readonly #book: LinkBook
  readonly #summary: Summary
  readonly #counts = { broken: 0, fragment: 0, redirect: 0 }

  constructor(book: LinkBook, summary: Summary) {
    this.#book = book
    this.#summary = summary
    for (const { problem } of book.findings()) this.#counts[problem]++
  }

  has(problems: ReadonlySet<LinkProblem>): boolean {
    return [...problems].some((problem) => this.#counts[problem] > 0)
  }

  *of(problems: ReadonlySet<LinkProblem>): Generator<LinkFinding> {
    for (const finding of this.#book.findings()) if (problems.has(finding.problem)) yield finding
  }

  /** What was checked, in one sentence. */
  get total(): string {
    const { links, pages } = this.#book
    return `${counted(links, 'link')} on ${counted(pages, 'page')} checked.`
  }

  /** One object of JSON. */
  *json(): Generator<PrintedLine> {
    const { links, pages } = this.#book
    const head = { pages, links, ...this.#counts, unchecked: this.#unchecked }
    let line = `${encodeJson(head).slice(0, -1)},"findings":[`
    let separator = ''
    for (const finding of this.#book.findings()) {
      yield line + separator
      separator = ','
      line = encodeJson(finding)
    }
    yield line
    yield ']}'
  }

  /** Page by page, with a summary at the end. Of redirects only those for good are worth a line. */
  *text(): Generator<PrintedLine> {
    let page = ''
    for (const finding of this.#book.findings()) {
      const { problem, from, status = 0 } = finding
      if (problem === 'redirect' && !FOR_GOOD.has(status)) continue
      if (from !== page && page !== '') yield ''
      if (from !== page) yield from
      page = from
      yield lineOf(finding)
    }
    if (page !== '') yield ''
    const { broken, fragment, redirect } = this.#counts
    yield `${this.total} ${count(broken)} broken, ${counted(fragment, 'missing fragment')}, ${counted(redirect, 'redirect')}.`
    const unchecked = Object.entries(this.#unchecked)
    const words = unchecked.map(([reason, urls]) => `${count(urls)} ${SKIP_WORDS[reason]}`)
    if (words.length > 0) yield `URLs that were not asked for: ${words.join('; ')}.`
  }

  get #unchecked(): Record<string, number> {
    const { skipped } = this.#summary
    return Object.fromEntries(
      UNCHECKED.flatMap((reason) => {
        const urls = skipped[reason] ?? 0
        return urls > 0 ? [[reason, urls]] : []
      }),
    )
  }
}

function lineOf(finding: LinkFinding): PrintedLine {
  const outcome = { text: outcomeText(finding), color: COLORS[finding.problem] }
  return [`  ${finding.to}  `, outcome]
}
