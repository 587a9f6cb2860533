import type { Config } from '../../config/schema.ts'

/** The settings that may contain a user and a password for HTTP Basic and Digest authentication. */
export interface BasicLogin extends Pick<Config, 'auth' | 'authFile'> {
  readonly seeds: readonly { readonly hasLogin: boolean }[]
}

/** Returns advice for a crawl whose seeds were all answered with the same status of 4xx or 5xx. */
export function refusalAdvice(status: number, login: BasicLogin): string {
  return `all seeds answered ${status}: ${remedyFor(status, login)}`
}

const LOG_IN = 'log in with --auth, --login, --cookies or -H'
const OTHER_LOGIN =
  'check the user and the password; if the site wants neither Basic nor Digest authentication, log in with --login, --cookies or -H'

function remedyFor(status: number, login: BasicLogin): string {
  if (status === 429) return 'send fewer requests with --rate or --delay, or try later'
  if (status >= 500) return 'the site has an error, or too much to do: try later'
  if (status === 401) return isGiven(login) ? OTHER_LOGIN : LOG_IN
  if (status === 403) return `${LOG_IN}, or try another --user-agent if the site refuses programs`
  return 'check their URLs'
}

function isGiven({ auth, authFile, seeds }: BasicLogin): boolean {
  return auth !== undefined || authFile !== undefined || seeds.some(({ hasLogin }) => hasLogin)
}
