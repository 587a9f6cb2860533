import type { CrawlUrl } from '../records/crawl-url.ts'
import { type FetchedRecord, VisitRecord } from '../records/visit-record.ts'
import type { OutcomesMessage } from './from-worker.ts'
import type { Outcome, TrapSignals, Visited } from './outcome.ts'

export interface UrlOutcome {
  readonly crawlUrl: CrawlUrl
  readonly outcome: Outcome
}

/** Returns the message with these outcomes. @param areFinal true if the main thread changes no record */
export function packOutcomes(outcomes: readonly UrlOutcome[], areFinal: boolean): OutcomesMessage {
  let text = ''
  let links = ''
  const others: Outcome[] = []
  for (const { crawlUrl, outcome } of outcomes) {
    if (areFinal && outcome.type === 'visited' && isOrdinary(outcome)) {
      text += textOf(crawlUrl, outcome)
      links += outcome.packedLinks ?? ''
    } else others.push(outcome)
  }
  return { type: 'outcomes', text, links, others }
}

/** Returns the outcomes in a message. Their strings are slices of its text. */
export function unpackOutcomes({ text, links, others }: OutcomesMessage): Outcome[] {
  const outcomes: Outcome[] = []
  const lines = text.split('\n')
  let linksAt = 0
  for (let at = 0; at < lines.length - 1; ) {
    const head = (lines[at] ?? '').split(' ')
    const discovered = at + 2
    const known = discovered + Number(head[HEAD.discovered])
    const end = known + Number(head[HEAD.nearer])
    const packedLength = optionalNumber(head[HEAD.packedLength])
    const linksEnd = linksAt + (packedLength ?? 0)
    const urls = {
      discovered: lines.slice(discovered, known),
      nearer: lines.slice(known, end),
      packedLinks: packedLength === undefined ? undefined : links.slice(linksAt, linksEnd),
    }
    outcomes.push(visitedOf(head, `${lines[at + 1]}\n`, urls))
    at = end
    linksAt = linksEnd
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
  packedLength: 9,
  counts: 10,
} as const

const NONE: readonly never[] = []

const ORDINARY_FIELDS: ReadonlySet<string> = new Set<keyof Visited>([
  ...(['type', 'id', 'fields', 'status', 'bytes', 'ms', 'linkCount', 'trapSignals'] as const),
  ...(['discovered', 'nearer', 'packedLinks', 'sameDepth', 'skipped', 'counts'] as const),
])

/** Returns whether `textOf` and the packed links contain all of an outcome. */
function isOrdinary(outcome: Visited): boolean {
  const { sameDepth, skipped, trapSignals, fields } = outcome
  if (sameDepth.length + skipped.length > 0 || trapSignals?.alias !== undefined) return false
  return Object.keys(outcome).every((field) => ORDINARY_FIELDS.has(field)) && isPlain(fields)
}

/** Returns an outcome as lines: its numbers, its record, and the URLs that the page leads to. */
function textOf(crawlUrl: CrawlUrl, outcome: Visited): string {
  const { id, fields, status, bytes, ms, linkCount, trapSignals } = outcome
  const { discovered, nearer, packedLinks, counts } = outcome
  const signals = trapSignals && `${trapSignals.linkCount} ${trapSignals.hasNewContent ? 1 : 0}`
  const numbers = `${id} ${status} ${bytes ?? ''} ${ms} ${linkCount ?? ''} ${signals ?? ' '}`
  const lengths = `${discovered.length} ${nearer.length} ${packedLinks?.length ?? ''}`
  const isCounted = counts !== undefined && Object.keys(counts).length > 0
  const head = `${numbers} ${lengths} ${isCounted ? JSON.stringify(counts) : ''}`
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
  urls: Pick<Visited, 'discovered' | 'nearer' | 'packedLinks'>,
): Visited {
  const counts = head[HEAD.counts] ?? ''
  return {
    type: 'visited',
    id: Number(head[HEAD.id]),
    fields,
    status: Number(head[HEAD.status]),
    bytes: optionalNumber(head[HEAD.bytes]),
    ms: Number(head[HEAD.ms]),
    linkCount: optionalNumber(head[HEAD.linkCount]),
    trapSignals: signalsOf(head[HEAD.trapLinks], head[HEAD.hasNewContent]),
    ...urls,
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
