/** The error of redirects that form a loop. Records never have it, since a crawl requests each URL only once. */
interface RedirectLoop {
  readonly error: 'redirect-loop'
  readonly message: string
}

/**
 * Returns the error of redirects that lead back to a URL.
 * @param url the URL that they lead back to
 * @param redirects number of redirects in the loop
 */
export function redirectLoop(url: string, redirects: number): RedirectLoop {
  const message = redirects === 1 ? 'it redirects to itself' : `its redirects lead back to ${url}`
  return { error: 'redirect-loop', message }
}
