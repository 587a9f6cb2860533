import type { CrawlUrl } from '../records/crawl-url.ts'
import type { FetchedRecord } from '../records/visit-record.ts'
import { VisitRecord } from '../records/visit-record.ts'
import type { Outcome, OutcomesMessage, TrapSignals, Visited } from './messages.ts'

/** The outcome of a URL. */
export interface UrlOutcome {
  readonly crawlUrl: CrawlUrl
  readonly outcome: Outcome
}

/** Returns the message with these outcomes. @param areFinal true if the main thread changes no record */
export function packOutcomes(outcomes: readonly UrlOutcome[], areFinal: boolean): OutcomesMessage {
  let text = ''
  const others: Outcome[] = []
  for (const { crawlUrl, outcome } of outcomes) {
    const own = areFinal && outcome.type === 'visited' ? textOf(crawlUrl, outcome) : undefined
    if (own === undefined) others.push(outcome)
    else text += own
  }
  return { type: 'outcomes', text, others }
}

/** Returns the outcomes in a message. Their strings are slices of its text. */
export function unpackOutcomes({ text, others }: OutcomesMessage): Outcome[] {
  const outcomes: Outcome[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length - 1; ) {
    const head = (lines[at] ?? '').split(' ')
    const links = at + 2
    const known = links + Number(head[HEAD.discovered])
    const end = known + Number(head[HEAD.nearer])
    const urls = { discovered: lines.slice(links, known), nearer: lines.slice(known, end) }
    outcomes.push(visitedOf(head, `${lines[at + 1]}\n`, urls))
    at = end
  }
  outcomes.push(...others)
  return outcomes
}

/** Positions of the fields in the first line of an outcome. */
const HEAD = {
  id: 0,
  status: 1,
  bytes: 2,
  ms: 3,
  linkCount: 4,
  trapLinks: 5,
  hasNewContent: 6,
  discovered: 7,
  nearer: 8,
  counts: 9,
} as const

const NONE: readonly never[] = []

/**
 * Returns an outcome as lines: its numbers, its record, and the URLs that the page leads to. Returns undefined if the
 * outcome has anything else.
 */
function textOf(crawlUrl: CrawlUrl, outcome: Visited): string | undefined {
  const { type: _, id, fields, status, bytes, ms, linkCount, trapSignals, ...rest } = outcome
  const { discovered, nearer, sameDepth, skipped, counts, ...others } = rest
  const isOrdinary = sameDepth.length + skipped.length === 0 && trapSignals?.alias === undefined
  if (!isOrdinary || Object.keys(others).length > 0 || !isPlain(fields)) return undefined
  const signals = trapSignals && `${trapSignals.linkCount} ${trapSignals.hasNewContent ? 1 : 0}`
  const numbers = `${id} ${status} ${bytes} ${ms} ${linkCount ?? ''} ${signals ?? ' '}`
  const isCounted = counts !== undefined && Object.keys(counts).length > 0
  const head = `${numbers} ${discovered.length} ${nearer.length} ${isCounted ? JSON.stringify(counts) : ''}`
  let text = `${head}\n${VisitRecord.of(crawlUrl, fields).line}`
  for (const url of discovered) text += `${url}\n`
  for (const url of nearer) text += `${url}\n`
  return text
}

/** Returns whether the main thread can parse the record: extracted data may be nested too deeply for that. */
function isPlain(fields: FetchedRecord): boolean {
  return typeof fields === 'string' || fields.dataJson === undefined
}

function visitedOf(
  head: readonly string[],
  fields: string,
  urls: Pick<Visited, 'discovered' | 'nearer'>,
): Visited {
  const { discovered, nearer } = urls
  const counts = head[HEAD.counts] ?? ''
  return {
    type: 'visited',
    id: Number(head[HEAD.id]),
    fields,
    status: Number(head[HEAD.status]),
    bytes: Number(head[HEAD.bytes]),
    ms: Number(head[HEAD.ms]),
    linkCount: optionalNumber(head[HEAD.linkCount]),
    trapSignals: signalsOf(head[HEAD.trapLinks], head[HEAD.hasNewContent]),
    discovered,
    nearer,
    sameDepth: NONE,
    skipped: NONE,
    counts: counts === '' ? undefined : JSON.parse(counts),
  }
}

function signalsOf(linkCount = '', hasNewContent = ''): TrapSignals | undefined {
  if (linkCount === '') return undefined
  return { hasNewContent: hasNewContent === '1', linkCount: Number(linkCount) }
}

function optionalNumber(text = ''): number | undefined {
  return text === '' ? undefined : Number(text)
}
