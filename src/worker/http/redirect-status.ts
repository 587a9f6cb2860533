const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Whether an answer sends us elsewhere (RFC 9110, 15.4): then its body is of no interest. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}
