/** Why a redirect leads nowhere. It is no error of a record, since each URL is requested once. */
interface RedirectLoop {
  readonly error: 'redirect-loop'
  readonly message: string
}

/**
 * Describes redirects that lead back.
 * @param url the one that they lead back to
 * @param redirects their number
 */
export function redirectLoop(url: string, redirects: number): RedirectLoop {
  const message = redirects === 1 ? 'it redirects to itself' : `its redirects lead back to ${url}`
  return { error: 'redirect-loop', message }
}
