/** Returns advice for a crawl whose seeds were all answered with the same status of 4xx or 5xx. */
export function refusalAdvice(status: number): string {
  return `all seeds answered ${status}: ${remedyFor(status)}`
}

const LOG_IN = 'log in with --auth, --login, --cookies or -H'

function remedyFor(status: number): string {
  if (status === 429) return 'send fewer requests with --rate or --delay, or try later'
  if (status >= 500) return 'the site has an error, or too much to do: try later'
  if (status === 401) return LOG_IN
  if (status === 403) return `${LOG_IN}, or try another --user-agent if the site refuses programs`
  return 'check their URLs'
}
