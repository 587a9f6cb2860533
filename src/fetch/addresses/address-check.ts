import { hasBadPort } from '../../url/bad-port.ts'
import { withoutFragment } from '../../url/fragment.ts'
import { originOf } from '../../url/origin.ts'
import { FetchFailure } from '../fetch-failure.ts'
import { type Fetcher, type FetchRequest, withChanges } from '../fetcher.ts'
import type { AddressGuard } from './address-guard.ts'

/**
 * Returns a fetcher that refuses bad ports, and hosts whose names are private addresses, before it connects. It removes
 * fragments from URLs: the crawl keeps them only as routes of single-page apps.
 */
export function withAddressCheck(fetcher: Fetcher, guard: AddressGuard): Fetcher {
  return {
    get: (request) => refusal(request.url, guard) ?? fetcher.get(bareRequest(request)),
    head: (request) => refusal(request.url, guard) ?? fetcher.head(bareRequest(request)),
    close: () => fetcher.close(),
  }
}

/** Returns a rejected promise for a URL that must not be requested. */
function refusal(url: string, guard: AddressGuard): Promise<never> | undefined {
  const origin = originOf(url)
  if (guard.hasAllowed(origin)) return undefined
  try {
    checkPort(origin)
    guard.checkName(origin)
    return undefined
  } catch (error) {
    return Promise.reject(error)
  }
}

function bareRequest<R extends FetchRequest>(request: R): R {
  if (!request.url.includes('#')) return request
  return withChanges(request, { url: withoutFragment(request.url) })
}

function checkPort(origin: string): void {
  if (!hasBadPort(origin)) return
  const [, host, port] = /\/\/(.*):(\d+)$/.exec(origin) ?? []
  const message = `port ${port} of ${host} is blocked, as in browsers`
  throw new FetchFailure('bad-port', message, 'permanent')
}
