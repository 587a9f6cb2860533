/** Statuses of redirects (RFC 9110, section 15.4). */
export const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308]

const REDIRECTS: ReadonlySet<number> = new Set(REDIRECT_STATUSES)

/** Returns whether a response is a redirect, whose body is of no interest. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}
