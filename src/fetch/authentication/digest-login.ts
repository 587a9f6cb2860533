import { originOf } from '../../url/origin.ts'
import { type Fetcher, type FetchRequest, type FetchResponse, withChanges } from '../fetcher.ts'
import type { Credentials } from './basic-credentials.ts'
import { offersBasic } from './challenges.ts'
import { DigestChallenge } from './digest-challenge.ts'

/**
 * Returns a fetcher that answers challenges of HTTP Digest authentication (RFC 7616): a request that is challenged is
 * sent once more, with the answer. From then on, requests to the origin have an answer at once.
 * @param credentials users and passwords by origin
 */
export function withDigestLogin(
  fetcher: Fetcher,
  credentials: ReadonlyMap<string, Credentials>,
): Fetcher {
  const logins = new Map([...credentials].map(([origin, own]) => [origin, new OriginLogin(own)]))

  function send<R extends FetchRequest>(
    method: string,
    request: R,
    fetch: (request: R) => Promise<FetchResponse>,
  ): Promise<FetchResponse> {
    const origin = originOf(request.url)
    const login = logins.get(origin)
    if (login === undefined) return fetch(request)
    return login.send(method, request.url.slice(origin.length), (authorization) =>
      fetch(authorization === undefined ? request : withChanges(request, { authorization })),
    )
  }

  return {
    get: (request) =>
      request.isCrossSite === true
        ? fetcher.get(request)
        : send(request.form === undefined ? 'GET' : 'POST', request, (each) => fetcher.get(each)),
    head: (request) => send('HEAD', request, (each) => fetcher.head(each)),
    close: () => fetcher.close(),
  }
}

/** How a request logs in: by HTTP Basic, as configured, or with the answer to a challenge. */
type LoginScheme = 'basic' | DigestChallenge

/** Sends a request with a value of Authorization; undefined for the configured one. */
type AuthorizedAttempt = (authorization: string | undefined) => Promise<FetchResponse>

/** The login to one origin. */
class OriginLogin {
  readonly #credentials: Credentials
  /** The scheme of the next request. */
  #scheme: LoginScheme = 'basic'
  /** True if the origin has accepted an answer, so the credentials are right. */
  #isAccepted = false

  constructor(credentials: Credentials) {
    this.#credentials = credentials
  }

  /**
   * Makes a request, and repeats it if its response wants another login.
   * @param uri the path and the query
   */
  async send(method: string, uri: string, attempt: AuthorizedAttempt): Promise<FetchResponse> {
    const sent = this.#scheme
    const response = await this.#sendWith(sent, method, uri, attempt)
    const wanted = this.#schemeAfter(response, sent)
    if (wanted === undefined) return response
    response.release()
    const second = await this.#sendWith(wanted, method, uri, attempt)
    // Only a URL that was challenged proves the credentials.
    if (wanted !== 'basic' && second.status !== 401) this.#isAccepted = true
    // Only now, other requests may answer the challenge, too: a server may accept one answer to it.
    this.#scheme = wanted
    return second
  }

  async #sendWith(scheme: LoginScheme, method: string, uri: string, attempt: AuthorizedAttempt) {
    return attempt(scheme === 'basic' ? undefined : scheme.answer(method, uri, this.#credentials))
  }

  /** Returns the scheme that a response wants; undefined if it wants none, or the credentials are wrong. */
  #schemeAfter({ status, headers }: FetchResponse, sent: LoginScheme): LoginScheme | undefined {
    if (status !== 401) return undefined
    const header = headers['www-authenticate']
    const challenge = DigestChallenge.strongestIn(header)
    if (sent === 'basic') return challenge
    if (challenge === undefined) return offersBasic(header) ? 'basic' : undefined
    const isRefused = challenge.realm === sent.realm && !challenge.isStale && !this.#isAccepted
    return isRefused ? undefined : challenge
  }
}
