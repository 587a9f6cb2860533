import { escapeControls } from '../printable-text.ts'
import type { CrawlUrl } from './crawl-url.ts'
import type { Visit } from './visit.ts'

/** The fields that each visit has. */
type RequiredFields = Pick<Visit, 'url' | 'depth' | 'hop' | 'attempts'>

/** The fields of a visit; one that is undefined is left out of the record. */
export type VisitFields = RequiredFields & {
  readonly [Field in keyof Visit as Exclude<Field, keyof RequiredFields | 'data'>]:
    | Visit[Field]
    | undefined
} & {
  /** The field `data` as JSON: a site may nest it more deeply than threads can exchange objects. */
  readonly dataJson?: string | undefined
}

/** The fields that a visit adds to those of its CrawlUrl. */
export type FetchedFields = Partial<Omit<VisitFields, 'url' | 'depth' | 'via' | 'hop'>>

/** The result of a visit: the fields that it adds to its CrawlUrl, or the line of the record if its worker encoded it. */
export type FetchedRecord = FetchedFields | string

/** Returns the fields of the result of a visit. */
export function fetchedFields(fetched: FetchedRecord): FetchedFields {
  return typeof fetched === 'string' ? fieldsIn(fetched) : fetched
}

/** A visit on its way to the outputs. Its line is encoded once, by its worker or when an output first needs it. */
export class VisitRecord {
  #fields: VisitFields | undefined
  #line: string | undefined

  /** @param visit its fields, or its line */
  constructor(visit: VisitFields | string) {
    if (typeof visit === 'string') this.#line = visit
    else this.#fields = visit
  }

  /** Returns the record of a CrawlUrl. */
  static of(crawlUrl: CrawlUrl, fetched: FetchedRecord): VisitRecord {
    if (typeof fetched === 'string') return new VisitRecord(fetched)
    const { url, depth, via, hop, attempt } = crawlUrl
    return new VisitRecord({ url, depth, via, hop, attempts: attempt, ...fetched })
  }

  get fields(): VisitFields {
    this.#fields ??= fieldsIn(this.#line ?? '')
    return this.#fields
  }

  /** The visit as one line of JSON, with its line feed. */
  get line(): string {
    this.#line ??= encodeVisit(this.fields)
    return this.#line
  }

  /** Returns the record with further fields. */
  with(fields: Pick<Visit, 'agent'> | Pick<Visit, 'seq'> | Pick<Visit, 'screenshot'>): VisitRecord {
    return new VisitRecord({ ...this.fields, ...fields })
  }
}

/** Returns the fields of a visit that was read back from its line. */
export function fieldsOf({ data, ...fields }: Visit): VisitFields {
  return data === undefined ? fields : { ...fields, dataJson: JSON.stringify(data) }
}

/** Returns the fields of a visit that this crawl has encoded. */
function fieldsIn(line: string): VisitFields {
  const visit: Visit = JSON.parse(line)
  return fieldsOf(visit)
}

/** Returns the line of a visit. Programs may rely on the order of its fields. */
function encodeVisit(fields: VisitFields): string {
  const { dataJson, dataTruncated, duplicateOf, agent, seq } = fields
  const start = JSON.stringify(startOf(fields))
  const data = dataJson === undefined ? '' : `"data":${dataJson}`
  const end = [data, members({ dataTruncated, duplicateOf, agent, seq })].filter(Boolean).join()
  const json = end === '' ? start : `${start.slice(0, -1)},${end}}`
  return `${escapeControls(json)}\n`
}

/**
 * Returns the fields before `data`, in their order. They are one literal, since a spread takes twice as long, for each
 * page.
 */
function startOf(fields: VisitFields) {
  return {
    url: fields.url,
    status: fields.status,
    depth: fields.depth,
    via: fields.via,
    hop: fields.hop,
    redirectsTo: fields.redirectsTo,
    contentType: fields.contentType,
    charset: fields.charset,
    bytes: fields.bytes,
    truncated: fields.truncated,
    title: fields.title,
    noindex: fields.noindex,
    canonical: fields.canonical,
    links: fields.links,
    discovered: fields.discovered,
    rendered: fields.rendered,
    renderedLinks: fields.renderedLinks,
    robots: fields.robots,
    textLength: fields.textLength,
    rawTitle: fields.rawTitle,
    rawCanonical: fields.rawCanonical,
    rawRobots: fields.rawRobots,
    rawTextLength: fields.rawTextLength,
    screenshot: fields.screenshot,
    hash: fields.hash,
    change: fields.change,
    ms: fields.ms,
    renderMs: fields.renderMs,
    attempts: fields.attempts,
    worker: fields.worker,
    time: fields.time,
    error: fields.error,
  }
}

/** Returns the JSON of an object, without its braces. */
function members(value: object): string {
  return JSON.stringify(value).slice(1, -1)
}
