import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { replaceControls } from '../../escape-controls.ts'
import {
  encodeLine,
  type LinkBook,
  type LinkFinding,
  type LinkProblem,
  outcomeText,
  type Summary,
} from '../../index.ts'
import { SKIP_WORDS } from '../skip-words.ts'
import { count, counted } from './shown.ts'

/** Redirects that will stay: whoever has the link should have the other one. */
const FOR_GOOD: ReadonlySet<number> = new Set([301, 308])
/** What keeps a link from being checked; others are no http links, or were known. */
const UNCHECKED = ['nofollow', 'excluded', 'depth', 'robots', 'host-failed', 'trap', 'limit']
const COLORS = { broken: 'red', fragment: 'yellow', redirect: 'cyan' } as const

/** What a check of links found, for people and for programs. */
export class CheckReport {
  readonly #book: LinkBook
  readonly #summary: Summary
  readonly #stdout: Writable
  readonly #counts = { broken: 0, fragment: 0, redirect: 0 }

  /** @param stdout where the text goes, which may have colours */
  constructor(book: LinkBook, summary: Summary, stdout: Writable) {
    this.#book = book
    this.#summary = summary
    this.#stdout = stdout
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
  *json(): Generator<string> {
    const { links, pages } = this.#book
    const head = { pages, links, ...this.#counts, unchecked: this.#unchecked }
    yield `${JSON.stringify(head).slice(0, -1)},"findings":[`
    let separator = '\n'
    for (const finding of this.#book.findings()) {
      yield separator + encodeLine(finding).trimEnd()
      separator = ',\n'
    }
    yield '\n]}\n'
  }

  /** Page by page, with a summary at the end. Of redirects only those for good are worth a line. */
  *text(): Generator<string> {
    let page = ''
    for (const finding of this.#book.findings()) {
      const { problem, from, status = 0 } = finding
      if (problem === 'redirect' && !FOR_GOOD.has(status)) continue
      if (from !== page) yield `${page === '' ? '' : '\n'}${replaceControls(from)}\n`
      page = from
      yield `  ${this.#lineOf(finding)}\n`
    }
    if (page !== '') yield '\n'
    const { broken, fragment, redirect } = this.#counts
    yield `${this.total} ${count(broken)} broken, ${counted(fragment, 'missing fragment')}, ${counted(redirect, 'redirect')}.\n`
    const unchecked = Object.entries(this.#unchecked)
    const words = unchecked.map(([reason, urls]) => `${count(urls)} ${SKIP_WORDS[reason]}`)
    if (words.length > 0) yield `URLs that were not asked for: ${words.join('; ')}.\n`
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

  #lineOf(finding: LinkFinding): string {
    const text = replaceControls(outcomeText(finding))
    const what = styleText(COLORS[finding.problem], text, { stream: this.#stdout })
    return `${replaceControls(finding.to)}  ${what}`
  }
}
