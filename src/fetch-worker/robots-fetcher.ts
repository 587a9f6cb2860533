import type { FetchFailure } from '../fetch/fetch-failure.ts'
import type { Fetcher, FetchResponse } from '../fetch/fetcher.ts'
import { locationOf } from '../fetch/redirect-location.ts'
import { describeRequestedPause, pauseAfter } from '../fetch/retry-after.ts'
import type { RobotsAnswer, RobotsFetched, RobotsReply } from '../messages/from-worker.ts'
import type { RobotsRequest } from '../messages/to-worker.ts'
import type { ErrorCode } from '../records/error-code.ts'
import { robotsAccess } from '../robots/access-by-status.ts'
import { MAX_ROBOTS_BYTES } from '../robots/lines.ts'
import { parseRobots } from '../robots/parse.ts'
import { productToken } from '../robots/product-token.ts'
import { originOf } from '../url/origin.ts'
import { LinkResolver } from '../url/resolve.ts'
import { withResponse } from './with-response.ts'

/** An origin, and the URL to request its robots.txt from. */
type RobotsLocation = Pick<RobotsRequest, 'origin' | 'url'>

/** One byte more than the parser reads, so that it notices when a file was cut. */
const MAX_BYTES = MAX_ROBOTS_BYTES + 1

/** Codes of failures in which a server didn't answer. */
const SILENT: ReadonlySet<ErrorCode> = new Set([
  'dns-failure',
  'connection-refused',
  'connection-reset',
  'connection-failed',
  'timeout',
])

/**
 * Fetches and parses robots.txt files, with one request each. The frontier handles redirects and retries: it knows when
 * the next request to the host may be sent.
 */
export class RobotsFetcher {
  readonly #fetcher: Fetcher
  readonly #productToken: string
  readonly #maxRetryAfter: number

  constructor(fetcher: Fetcher, userAgent: string, maxRetryAfter: number) {
    this.#fetcher = fetcher
    this.#productToken = productToken(userAgent)
    this.#maxRetryAfter = maxRetryAfter
  }

  fetch(location: RobotsLocation): Promise<RobotsFetched> {
    const { origin, url } = location
    const about = { type: 'robots', origin } as const
    return withResponse<RobotsFetched>(
      this.#fetcher.get({ url, maxBody: MAX_BYTES, keepBody: true }),
      (response) => {
        const { exchange } = response
        return { ...about, reply: this.#replyOf(url, response), ...(exchange && { exchange }) }
      },
      (failure) => {
        const timedOut = failure.timedOut && originOf(url) === origin
        const reply = replyOfFailure(failure, location)
        return { ...about, reply, ...(timedOut && { timedOut }) }
      },
    )
  }

  #replyOf(url: string, response: FetchResponse): RobotsReply {
    const location = locationOf(response)
    const to = location === undefined ? undefined : new LinkResolver(url).resolve(location)
    if (to !== undefined) return { access: 'moved', to }
    const access = robotsAccess(response.status)
    if (access === 'parse' && response.endsEarly) {
      // The missing part may forbid more.
      const { message = 'its coding ends early', isTransient = true } = response.failure ?? {}
      return { access: 'disallow-all', reason: `${url}: ${message}`, isTransient }
    }
    if (access === 'parse' && response.body !== undefined) {
      return { access: 'rules', rules: parseRobots(response.body, this.#productToken) }
    }
    if (access !== 'disallow-all') return { access: 'allow-all' }
    const pause = pauseAfter(response, this.#maxRetryAfter)
    const reason = `${url} answered ${response.status}`
    const failure = { access, isTransient: true } as const
    if (pause === undefined) return { ...failure, reason }
    const { retryAfter, requested } = pause
    if (requested === undefined) return { ...failure, reason, retryAfter }
    return {
      ...failure,
      reason: `${reason}, and ${describeRequestedPause(requested)}`,
      retryAfter,
      isExcessive: true,
    }
  }
}

function replyOfFailure(
  { code, message, isTransient, status }: FetchFailure,
  { origin, url }: RobotsLocation,
): RobotsAnswer {
  // The body of an error page doesn't matter.
  if (robotsAccess(status) === 'allow-all') return { access: 'allow-all' }
  const failure = { access: 'disallow-all', isTransient } as const
  const isOfSite = originOf(url) === origin
  if (isOfSite && code === 'private-address') return { ...failure, reason: message, error: code }
  // Without a response, the whole site is down, not only this file.
  const isSilent = isOfSite && status === undefined && SILENT.has(code)
  const reason = `${isSilent ? 'the site does not answer' : url}: ${message}`
  return { ...failure, reason }
}
