/** The address of the server, from a range for documentation (RFC 5737) that nobody uses. */
export const SERVER_ADDRESS = '192.0.2.2'

/** The pages of the server. */
export interface Site {
  readonly pages: number
  /** Bytes of each page. */
  readonly bytes: number
  /** Number of hosts with the pages, all at the same address. With 0, all pages are on one host without a name. */
  readonly hosts: number
  /** Milliseconds after which the server closes an idle connection; 0 if it never does. */
  readonly idleMs: number
}

/** The requests that the server has received. */
export interface Requests {
  readonly count: number
  /** Milliseconds from the first request to the last. */
  readonly ms: number
  /** Number of requests for pages that were requested before. */
  readonly repeated: number
  /** Number of connections. */
  readonly connections: number
}

/** Returns the URL of a page. */
export function urlOf({ hosts }: Site, page: number): string {
  const host = hosts === 0 ? SERVER_ADDRESS : `h${page % hosts}.test`
  return `http://${host}/page/${page}`
}
