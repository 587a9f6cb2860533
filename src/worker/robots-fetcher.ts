import { setTimeout as sleep } from 'node:timers/promises'
import { robotsAccess } from '../robots/access.ts'
import { MAX_ROBOTS_BYTES } from '../robots/lines.ts'
import { parseRobots } from '../robots/parse.ts'
import { productToken } from '../robots/product-token.ts'
import { LinkResolver } from '../url/resolve.ts'
import type { RobotsAnswer } from '../wire/messages.ts'
import { locationOf } from './follow-redirect.ts'
import { FetchFailure } from './http/fetch-failure.ts'
import type { Answer, HttpClient } from './http/http-client.ts'

/** RFC 9309, 2.3.1.2: at least five redirects in a row are followed. */
const MAX_REDIRECTS = 5

/** One more than the parser reads, so that it sees where a file was cut. */
const MAX_BYTES = MAX_ROBOTS_BYTES + 1

const ATTEMPTS = 3
const PAUSE_MS = 500

/** Fetches and parses robots.txt files. */
export class RobotsFetcher {
  readonly #http: HttpClient
  readonly #productToken: string

  constructor(http: HttpClient, userAgent: string) {
    this.#http = http
    this.#productToken = productToken(userAgent)
  }

  async fetch(origin: string): Promise<RobotsAnswer> {
    try {
      const answer = await this.#follow(`${origin}/robots.txt`)
      const access = robotsAccess(answer.status)
      if (access === 'parse' && answer.body !== undefined) {
        return { access: 'rules', rules: parseRobots(answer.body, this.#productToken) }
      }
      if (access !== 'disallow-all') return { access: 'allow-all' }
      return { access, reason: `${origin}/robots.txt answered ${answer.status}` }
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      return { access: 'disallow-all', reason: `${origin}/robots.txt: ${error.message}` }
    }
  }

  /** The last answer: after too many redirects one of them, as when it leads nowhere. */
  async #follow(url: string, redirects = 0): Promise<Answer> {
    const answer = await this.#get(url)
    const location = locationOf(answer)
    if (location === undefined) return answer
    const target = new LinkResolver(url).resolve(location)
    if (target === undefined || redirects === MAX_REDIRECTS) return answer
    return this.#follow(target, redirects + 1)
  }

  async #get(url: string, attempt = 1): Promise<Answer> {
    try {
      return await this.#http.get(url, MAX_BYTES, true)
    } catch (error) {
      const passing = error instanceof FetchFailure && error.passing
      if (!passing || attempt === ATTEMPTS) throw error
    }
    await sleep(PAUSE_MS * attempt)
    return this.#get(url, attempt + 1)
  }
}
