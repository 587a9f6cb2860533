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
export interface HostName {
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

/** The table of all URLs: the frontier reads and changes its rows one by one. */
export interface KnownUrlTable {
  /** Adds a URL that is ready to be fetched. Returns its id; undefined when the URL is known already. */
  insert(key: number, url: string, host: number, place: UrlPlace): number | undefined
  /** Returns the row of a URL; undefined if it is not known. */
  find(key: number, url: string): KnownUrl | undefined
  /** Returns the URL of an id; undefined if there is none. */
  urlOf(id: number): string | undefined
  /** Returns the next URLs of a host that are ready, in the order of their visits. */
  ready(host: HostName, limit: number): ReadyUrl[]
  /** Returns the next URLs of a host that are deferred, in the order of their visits. */
  deferred(host: HostName, limit: number, order: DeferredOrder): ReadyUrl[]
  /** Makes the first deferred URLs of a host ready again, at most `limit` of them. */
  restoreDeferred(host: number, limit: number): void
  /** Counts the URLs of a host that are ready or deferred. */
  countWaiting(host: number): number
  /** Marks a URL as in flight and counts the attempt. The changes may not be written before `flush`. */
  handOut(id: number): void
  /** Writes the changes that `handOut` has postponed. */
  flush(): void
  /** Makes a URL ready again that was handed out but not requested. */
  returnUnsent(id: number): void
  /** Counts a failed attempt. */
  countFailure(id: number): void
  /** Sets the state of a URL. */
  setState(id: number, state: UrlState): void
  /** Moves a URL to a shorter path. */
  move(id: number, place: UrlPlace): void
}

/** The table of pages that are fetched again only for their links. */
export interface RereadTable {
  /** Returns whether a page is fetched only for its links. */
  has(id: number): boolean
  /** Restores a page that was dropped, since a shorter path leads to it now. Returns false for any other page. */
  restore(id: number): boolean
  /** Removes a page that was read, or that can't be read. */
  remove(id: number): void
}
