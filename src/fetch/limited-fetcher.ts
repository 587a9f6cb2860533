import type { RequestLimits } from '../throttle/request-limits.ts'
import type { Fetcher, FetchRequest } from './fetcher.ts'

/** Returns a fetcher that sends each request as soon as `--rate` and `--bandwidth` allow it. */
export function withLimits(fetcher: Fetcher, limits: RequestLimits): Fetcher {
  const send = <T>(request: FetchRequest, fetch: () => Promise<T>) =>
    limits.send(() => {
      request.onSend?.()
      return fetch()
    })
  return {
    get: (request) => send(request, () => fetcher.get(request)),
    head: (request) => send(request, () => fetcher.head(request)),
    close: () => fetcher.close(),
  }
}
