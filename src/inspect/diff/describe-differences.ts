import { openTemporaryDatabase } from '../../database/sqlite.ts'
import { countOf, formatCount, formatList } from '../../english-text.ts'
import { printableText } from '../../printable-text.ts'
import type { Comparison } from './compare-visits.ts'
import type { Difference, DifferenceKind } from './difference.ts'
import type { VisitFacts } from './visit-facts.ts'

const HEADINGS: Readonly<Record<DifferenceKind, string>> = {
  added: 'Added',
  gone: 'Gone',
  status: 'Status changed',
  changed: 'Changed',
}
/** Displayed names of the facts. */
const NAMES: Readonly<Record<Exclude<keyof VisitFacts, 'status' | 'error' | 'data'>, string>> = {
  redirectsTo: 'redirect',
  contentType: 'type',
  bytes: 'bytes',
  title: 'title',
  noindex: 'noindex',
  canonical: 'canonical',
  links: 'links',
  hash: 'hash',
}
const CONTENT_NAMES = { bytes: 'size', title: 'title', links: 'number of links' } as const
/** Maximum number of uncompared facts that are named. */
const MAX_FACTS = 12
/** Maximum width of a title or another text; URLs are never cut. */
const TEXT_WIDTH = 30
const HASH_WIDTH = 12
/** Characters that are shown before the first difference of long texts. */
const LEAD = 12

/**
 * Describes differences for people: counts first, then a group for each kind, ordered by URL.
 * Control characters in text from servers are escaped.
 */
export function* describeDifferences(comparison: Omit<Comparison, 'close'>): Generator<string> {
  const { counts, differences } = comparison
  const database = openTemporaryDatabase()
  try {
    database.exec('CREATE TABLE differences (kind TEXT, text TEXT)')
    const insert = database.prepare('INSERT INTO differences VALUES (?, ?)')
    for (const difference of differences) insert.run(difference.kind, paragraph(difference))
    yield overview(comparison)
    const texts = database.prepare('SELECT text FROM differences WHERE kind = ? ORDER BY rowid')
    for (const [kind, heading] of headings(counts)) {
      yield `\n${heading}\n`
      for (const { text } of texts.iterate(kind)) yield String(text)
    }
    for (const remark of describeLimits(comparison)) yield `\n${remark}\n`
  } finally {
    database.close()
  }
}

/** Returns remarks on the limits of the comparison, so that readers don't misunderstand its result. */
export function describeLimits({
  comparedContent,
  counts,
  uncertain,
  uncompared,
  urls,
}: Omit<Comparison, 'differences' | 'close'>): string[] {
  const { bySize, stillLinked } = uncertain
  const gone = counts.get('gone') ?? 0
  const [before, after] = urls
  const isDisjoint = before > 0 && after > 0 && gone === before && counts.get('added') === after
  const content =
    formatList(
      comparedContent.map((fact) => CONTENT_NAMES[fact]),
      'and',
    ) || 'status'
  return [
    ...(isDisjoint
      ? [
          'no URL is in both crawls; to compare two sites, first replace the address of one by that of the other in its file',
        ]
      : []),
    ...uncompared.map(({ facts, lackedBy }) => {
      const verb = facts.length === 1 ? 'was' : 'were'
      return `${formatList(shownFacts(facts), 'and')} ${verb} not compared, since ${printableText(lackedBy)} has none`
    }),
    ...(bySize === 0
      ? []
      : [
          `${pages(bySize)} compared by ${content} only: crawl both times with --hash to find every change`,
        ]),
    ...(stillLinked === 0
      ? []
      : [
          `Gone URLs that may still exist: ${number(stillLinked)} of ${number(gone)}, to which unchanged pages link. The second crawl probably ended early, for example because of --max-pages`,
        ]),
  ]
}

/** Returns the displayed names of facts, in the order of a visit. If there are many, the last ones are only counted. */
function shownFacts(facts: readonly string[]): string[] {
  const names: Readonly<Record<string, string>> = { status: 'status', error: 'error', ...NAMES }
  const fields = facts.filter((fact) => names[fact] === undefined).toSorted()
  const ordered = [...Object.keys(names).filter((fact) => facts.includes(fact)), ...fields]
  const shown = ordered.map((fact) => printableText(names[fact] ?? fact, TEXT_WIDTH))
  const rest = shown.length - MAX_FACTS
  return rest > 1 ? [...shown.slice(0, MAX_FACTS), `${number(rest)} more fields`] : shown
}

function pages(count: number): string {
  return count === 1 ? '1 page was' : `${number(count)} pages were`
}

function overview({ urls: [before, after], counts }: Pick<Comparison, 'urls' | 'counts'>): string {
  const kinds: DifferenceKind[] = ['added', 'gone', 'status', 'changed']
  const parts = kinds.map((kind) => `${number(counts.get(kind))} ${HEADINGS[kind].toLowerCase()}`)
  return `${countOf(before, 'URL')}, then ${number(after)}\n${parts.join(', ')}\n`
}

function headings(counts: Comparison['counts']): [DifferenceKind, string][] {
  const kinds: DifferenceKind[] = ['status', 'gone', 'added', 'changed']
  return kinds
    .filter((kind) => counts.has(kind))
    .map((kind) => [kind, `${HEADINGS[kind]} (${number(counts.get(kind))})`])
}

function paragraph({ kind, url, before = {}, after = {}, linkedFrom }: Difference): string {
  const lines = [
    ...(kind === 'changed' ? [] : [outcomes(kind, before, after)]),
    ...(kind === 'added' || kind === 'gone' ? [] : changes(before, after)),
    ...(linkedFrom === undefined ? [] : [`still linked from ${printableText(linkedFrom)}`]),
  ]
  return [`  ${printableText(url)}`, ...lines.map((line) => `    ${line}`), ''].join('\n')
}

/** Returns the status or error of a page; if it was added or is gone, more of its facts, too. */
function outcomes(kind: DifferenceKind, before: VisitFacts, after: VisitFacts): string {
  if (kind === 'status') return `${outcome(before)} → ${outcome(after)}`
  const facts = kind === 'added' ? after : before
  const { redirectsTo, contentType, title } = facts
  const details = [
    redirectsTo === undefined ? undefined : `→ ${printableText(redirectsTo)}`,
    contentType === undefined ? undefined : printableText(contentType, TEXT_WIDTH),
    title === undefined ? undefined : quoted(title),
  ]
  return [outcome(facts), ...details].filter((part) => part !== undefined).join('  ')
}

/** A response that broke off has both a status and an error. */
function outcome({ status, error }: VisitFacts): string {
  const parts = [status, error === undefined ? undefined : printableText(error, TEXT_WIDTH)]
  return parts.filter((part) => part !== undefined).join(' ') || 'no error'
}

function changes(before: VisitFacts, after: VisitFacts): string[] {
  const facts = Object.entries(NAMES).flatMap(([field, name]) => {
    const [a, b] = [before, after].map((facts) => facts[field as keyof typeof NAMES])
    return a === b ? [] : [change(name, value(a, field, b), value(b, field, a))]
  })
  const fields = new Set([before, after].flatMap(({ data }) => Object.keys(data ?? {})))
  const data = [...fields].flatMap((field) => {
    const [a, b] = [before, after].map(({ data }) => data?.[field] ?? undefined)
    if (a === b) return []
    return [change(printableText(field, TEXT_WIDTH), extracted(a, b), extracted(b, a))]
  })
  return [...facts, ...data]
}

function change(name: string, before: string, after: string): string {
  return `${name.padEnd(8)} ${before} → ${after}`
}

/** Describes the value of an extracted field. @param other its value in the other crawl */
function extracted(value: unknown, other: unknown): string {
  if (value === undefined) return 'none'
  return typeof value === 'string'
    ? quoted(value, other)
    : shown(JSON.stringify(value), JSON.stringify(other))
}

type Fact = string | number | true | undefined

function value(fact: Fact, field: string, other: Fact): string {
  if (field === 'noindex') return fact === true ? 'yes' : 'no'
  if (fact === undefined || fact === true) return 'none'
  if (typeof fact === 'number') return number(fact)
  if (field === 'title') return quoted(fact, other)
  if (field === 'hash') return printableText(fact, HASH_WIDTH)
  const isUrl = field === 'redirectsTo' || field === 'canonical'
  return isUrl ? printableText(fact) : shown(fact, other)
}

const quoted = (text: string, other?: unknown) => `“${shown(text, other)}”`

/** Cuts a text. If the cut text of the other crawl is the same, cuts the start that the two have in common, too. */
function shown(text: string, other: unknown): string {
  const cut = printableText(text, TEXT_WIDTH)
  if (typeof other !== 'string' || other === text) return cut
  if (printableText(other, TEXT_WIDTH) !== cut) return cut
  let at = 0
  while (text[at] === other[at]) at++
  const rest = text.slice(Math.max(0, at - LEAD)).toWellFormed()
  return printableText(`…${rest}`, TEXT_WIDTH)
}

const number = (value = 0) => formatCount(value)
