/** Reasons why URLs were not fetched, in words that follow a number. */
export const SKIP_REASON_TEXT: Readonly<Record<string, string>> = {
  duplicate: 'links to URLs that were known',
  scheme: 'not http or https',
  'invalid-url': 'no valid URL',
  nofollow: 'not to be followed, as their pages say',
  'out-of-scope': 'outside of the scope',
  excluded: 'kept out by --include or --exclude',
  depth: 'deeper than --depth',
  robots: 'forbidden by robots.txt',
  'host-failed': 'on a host that was given up',
  trap: 'taken for a trap',
  limit: 'beyond a limit',
}
