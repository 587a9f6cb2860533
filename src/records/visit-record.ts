import { escapeControls } from '../printable-text.ts'
import type { CrawlUrl } from './crawl-url.ts'
import type { Visit } from './visit.ts'

/** The fields that each visit has. */
type Required = Pick<Visit, 'url' | 'depth' | 'hop' | 'attempts'>

/** The fields of a visit; one that is undefined is left out of the record. */
export type VisitFields = Required & {
  readonly [Field in keyof Visit as Exclude<Field, keyof Required | 'data'>]:
    | Visit[Field]
    | undefined
} & {
  /** The field `data` as JSON: a site may nest it more deeply than threads can exchange objects. */
  readonly dataJson?: string | undefined
}

/** The fields that a visit adds to those of its CrawlUrl. */
export type FetchedFields = Partial<Omit<VisitFields, 'url' | 'depth' | 'via' | 'hop'>>

/** The result of a visit: the fields that it adds to its CrawlUrl, or the whole record as a line, if a worker has encoded it. */
export type FetchedRecord = FetchedFields | string

/** Returns the fields that a visit has. */
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
  with(fields: Pick<Visit, 'agent'> | Pick<Visit, 'seq'>): VisitRecord {
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
  const start = startOf(fields)
  const end = { dataTruncated, duplicateOf, agent, seq }
  const json =
    dataJson === undefined
      ? JSON.stringify({ ...start, ...end })
      : `{${[members(start), `"data":${dataJson}`, members(end)].filter(Boolean).join()}}`
  return `${escapeControls(json)}\n`
}

/** Returns the fields before `data`, in their order. */
function startOf(fields: VisitFields) {
  const { url, status, depth, via, hop, redirectsTo, contentType, charset, bytes, truncated } =
    fields
  const { title, noindex, canonical, links, discovered, rendered, renderedLinks, change } = fields
  const { robots, textLength, rawTitle, rawCanonical, rawRobots, rawTextLength, hash } = fields
  const { ms, renderMs, attempts, worker, time, error } = fields
  return {
    ...{ url, status, depth, via, hop, redirectsTo, contentType, charset, bytes, truncated },
    ...{ title, noindex, canonical, links, discovered, rendered, renderedLinks },
    ...{ robots, textLength, rawTitle, rawCanonical, rawRobots, rawTextLength, hash, change },
    ...{ ms, renderMs, attempts, worker, time, error },
  }
}

/** Returns what stands between the braces of an object in JSON. */
function members(value: object): string {
  return JSON.stringify(value).slice(1, -1)
}
