import { originOf } from '../../url/origin.ts'
import { type Fetcher, type FetchRequest, type FetchResponse, withChanges } from '../fetcher.ts'
import type { Credentials } from './basic-credentials.ts'
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
  const logins = new Map<string, DigestLogin>()

  async function send<R extends FetchRequest>(
    method: string,
    request: R,
    fetch: (request: R) => Promise<FetchResponse>,
  ): Promise<FetchResponse> {
    const origin = originOf(request.url)
    const known = credentials.get(origin)
    if (known === undefined) return fetch(request)
    const login = logins.get(origin) ?? new DigestLogin()
    logins.set(origin, login)
    const challenge = login.challenge
    const attempt = (): Promise<FetchResponse> => {
      const authorization = login.challenge?.answer(method, request.url.slice(origin.length), known)
      return fetch(authorization === undefined ? request : withChanges(request, { authorization }))
    }
    const response = await attempt()
    if (!login.isRenewedBy(response, challenge)) return response
    response.release()
    return attempt()
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

/** The login to one origin. */
class DigestLogin {
  /** The challenge that requests answer; undefined until a request is challenged. */
  challenge: DigestChallenge | undefined
  /** True if the origin has accepted an answer, so the credentials are right. */
  #isAccepted = false

  /**
   * Learns from a response. Returns true if it challenges the request anew, so that it can be sent again.
   * @param answered the challenge that the request has answered
   */
  isRenewedBy({ status, headers }: FetchResponse, answered: DigestChallenge | undefined): boolean {
    if (status !== 401) {
      this.#isAccepted ||= answered !== undefined
      return false
    }
    const challenge = DigestChallenge.strongestIn(headers['www-authenticate'])
    if (challenge === undefined) return false
    const isRefused = answered?.realm === challenge.realm && !challenge.isStale && !this.#isAccepted
    if (isRefused) return false
    this.challenge = challenge
    return true
  }
}
