import type { Hop, PathLength } from '../../records/crawl-url.ts'

/** States of a URL in the frontier, as the column `state` stores them. */
export const URL_STATE = {
  ready: 0,
  inFlight: 1,
  visited: 2,
  failed: 3,
  forbidden: 4,
  skipped: 5,
  deferred: 6,
  marked: 7,
  forgotten: 8,
  hostFailed: 9,
} as const

/** The states of URLs that are not done, as a list in SQL. */
export const UNFINISHED = `${URL_STATE.ready}, ${URL_STATE.inFlight}, ${URL_STATE.deferred}`

/** The order in which deferred URLs are visited, by their distance from the seeds. */
export type DeferredOrder = 'nearest-first' | 'farthest-first'

export type UrlState = (typeof URL_STATE)[keyof typeof URL_STATE]

/** The distance of a URL from a seed, and the step that led to it. */
export interface UrlPlace extends PathLength {
  readonly hop: Hop
  /** Id of the page that links to it. */
  readonly via: number | null
}

/** The id and the name of a host. */
export interface HostRef {
  readonly id: number
  /** Host name and port. */
  readonly key: string
}

/** A URL that waits to be handed out. */
export interface ReadyUrl extends PathLength {
  readonly id: number
  readonly url: string
  readonly hop: Hop
  readonly via: string | null
  /** Number of times that it was handed out. */
  readonly attempts: number
  readonly failures: number
}

/** A URL that the frontier knows, in any state. */
export interface KnownUrl extends PathLength {
  readonly id: number
  readonly host: number
  readonly state: UrlState
}

/** The properties of a ready URL that the deterministic order needs. */
export interface OrderedUrl extends PathLength {
  readonly id: number
  readonly hop: Hop
  /** Key of its host. */
  readonly host: string
}

/** A URL that waits, or is in flight. */
export interface WaitingUrl {
  readonly id: number
  readonly url: string
  readonly depth: number
  readonly hop: Hop
  readonly via: string | null
}

/** The pages to read again: all, the seeds, or all from a depth on. */
export type RereadScope = 'all' | 'seeds' | { readonly fromDepth: number }
