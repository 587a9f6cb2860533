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
  const logins = new Map<string, OriginLogin>()

  async function send<R extends FetchRequest>(
    method: string,
    request: R,
    fetch: (request: R) => Promise<FetchResponse>,
  ): Promise<FetchResponse> {
    const origin = originOf(request.url)
    const known = credentials.get(origin)
    if (known === undefined) return fetch(request)
    const login = logins.get(origin) ?? new OriginLogin()
    logins.set(origin, login)
    const path = request.url.slice(origin.length)
    const attempt = async (scheme: LoginScheme): Promise<FetchResponse> => {
      if (scheme === 'basic') return fetch(request)
      const authorization = scheme.answer(method, path, known)
      const response = await fetch(withChanges(request, { authorization }))
      login.isAccepted ||= response.status !== 401
      return response
    }
    const { scheme } = login
    const response = await attempt(scheme)
    const renewed = login.schemeAfter(response, scheme)
    if (renewed === undefined) return response
    response.release()
    const second = await attempt(renewed)
    // Other requests may use the challenge only now: a server may accept it once.
    login.scheme = renewed
    return second
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

/** The login to one origin. */
class OriginLogin {
  /** The scheme of the next request. */
  scheme: LoginScheme = 'basic'
  /** True if the origin has accepted an answer, so the credentials are right. */
  isAccepted = false

  /** Returns the scheme to send a request with again after its response; undefined if the response is final. */
  schemeAfter({ status, headers }: FetchResponse, sent: LoginScheme): LoginScheme | undefined {
    if (status !== 401) return undefined
    const header = headers['www-authenticate']
    const challenge = DigestChallenge.strongestIn(header)
    if (sent === 'basic') return challenge
    if (challenge === undefined) return offersBasic(header) ? 'basic' : undefined
    const isWrongPassword = challenge.realm === sent.realm && !challenge.isStale && !this.isAccepted
    return isWrongPassword ? undefined : challenge
  }
}
