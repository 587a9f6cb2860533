/** Returns advice for a crawl whose seeds were all answered with the same status of 4xx or 5xx. */
export function refusalAdvice(status: number): string {
  return `all seeds answered ${status}: ${remedyFor(status)}`
}

function remedyFor(status: number): string {
  if (status === 429) return 'send fewer requests with --rate or --delay, or try later'
  if (status >= 500) return 'the site has an error, or too much to do: try later'
  if (status === 401 || status === 403) return 'log in with --auth, --login, --cookies or -H'
  return 'check their URLs'
}
