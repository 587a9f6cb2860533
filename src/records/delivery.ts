import type { VisitRecord } from './visit-record.ts'

/** What outputs may want of pages beside where they lead: what links show, or what in a page they may name. */
export type LinkGraph = 'texts' | 'anchors'

/** A page among others. */
export interface PageLinks {
  /** Canonical URL of the page. */
  readonly from: string
  /** Where its links lead, each once: canonical URLs, in or out of scope, with their fragments. */
  readonly to: readonly string[]
  /** What each of these links shows, empty where that is nothing; where it is wanted. */
  readonly texts?: readonly string[]
  /** Links that are no URLs, as they were written, shortened. */
  readonly invalid: readonly string[]
  /** What fragments of links to this page may name, where that is wanted and the page is whole. */
  readonly anchors?: readonly string[]
}

/** Where workers put bodies until they have a name. */
export interface BodyFolder {
  readonly path: string
  /** Whether they have to outlive the process. */
  readonly isKept: boolean
}

/** A body as a file, or why there is none. */
export type BodyFile = { readonly file: string } | { readonly failure: string }

/** A request and its answer, as records of an archive. */
export interface ArchivedExchange {
  /** `WARC-Record-ID` of the answer. */
  readonly id: string
  readonly url: string
  /** `WARC-Date`. */
  readonly date: string
  readonly status: number
  /** Of Content-Type, without parameters; empty where there was none. */
  readonly mime: string
  /** Of the body as it was received. */
  readonly payloadDigest: string
  /** Whether a later answer with the same body may refer to this one. */
  readonly isWhole: boolean
  /** Status line and header of the answer. */
  readonly head: Uint8Array
  /** The records, each a member of gzip. */
  readonly response: Uint8Array
  readonly request: Uint8Array
}

/** What a worker sends for the outputs beside the fields of the record. */
export interface Attachments {
  /** Links of the page inside the scope, canonical, each once, by `packLinks`; where an output asks. */
  readonly outlinks?: Uint8Array
  /** Request and answer, where an output asks. */
  readonly exchange?: ArchivedExchange
  /** The decoded body, where an output asks, of an answer that has a use for one. */
  readonly body?: BodyFile
  /** Of an HTML page, where an output wants them. */
  readonly pageLinks?: PageLinks
}

/** What the outputs get of a URL. */
export interface Delivery extends Attachments {
  readonly record: VisitRecord
}
