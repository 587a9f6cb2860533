/** The address of the server: of those for examples (RFC 5737), which belong to nobody. */
export const SERVER_ADDRESS = '192.0.2.2'

/** The pages that the server has. */
export interface Site {
  readonly pages: number
  /** Bytes of each page. */
  readonly bytes: number
  /** Hosts that the pages are on, all at the same address; with 0 they are on one without a name. */
  readonly hosts: number
  /** Milliseconds after which the server closes an idle connection; 0 if it never does. */
  readonly idleMs: number
}

/** The requests that the server has got. */
export interface Requests {
  readonly count: number
  /** Milliseconds from the first to the last. */
  readonly ms: number
  /** Requests for pages that were requested before. */
  readonly repeated: number
  /** Connections on which they came. */
  readonly connections: number
}

/** Returns the URL of a page. */
export function urlOf({ hosts }: Site, page: number): string {
  const host = hosts === 0 ? SERVER_ADDRESS : `h${page % hosts}.test`
  return `http://${host}/page/${page}`
}
