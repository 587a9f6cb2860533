import { hasBadPort } from '../../url/bad-port.ts'
import { withoutRoute } from '../../url/hash-route.ts'
import { originOf } from '../../url/origin.ts'
import { FetchFailure } from '../fetch-failure.ts'
import type { Fetcher, HeadRequest } from '../fetcher.ts'
import type { AddressGuard } from './address-guard.ts'

/**
 * Returns a fetcher that refuses bad ports, and hosts whose names are private addresses, before it connects. Fragments of
 * URLs, which are routes of single-page apps, are left out.
 */
export function withAddressCheck(fetcher: Fetcher, guard: AddressGuard): Fetcher {
  const check = (url: string) => {
    const origin = originOf(url)
    checkPort(origin)
    guard.checkName(origin)
  }
  return {
    async get(request) {
      check(request.url)
      return fetcher.get(withoutFragment(request))
    },
    async head(request) {
      check(request.url)
      return fetcher.head(withoutFragment(request))
    },
    close: () => fetcher.close(),
  }
}

function withoutFragment<R extends HeadRequest>(request: R): R {
  return request.url.includes('#') ? { ...request, url: withoutRoute(request.url) } : request
}

function checkPort(origin: string): void {
  if (!hasBadPort(origin)) return
  const host = origin.slice(origin.indexOf('//') + 2)
  throw new FetchFailure('bad-port', `${host} is a port that browsers refuse, too`, false)
}
