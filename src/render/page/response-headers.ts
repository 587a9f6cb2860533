import type { ResponseHeaders } from '../../fetch/fetcher.ts'
import type { Protocol } from '../browser/protocol.ts'

/** Headers of the connection, of cookies (which the crawler keeps), and those that make the browser do more. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length'],
  ...['set-cookie', 'alt-svc', 'link', 'refresh', 'nel', 'report-to', 'reporting-endpoints'],
  ...[
    'clear-site-data',
    'service-worker-allowed',
    'strict-transport-security',
    'speculation-rules',
  ],
  ...['content-disposition', 'accept-ch', 'critical-ch', 'trailer', 'upgrade'],
])

/** Returns the headers of a response that are passed to the browser. */
export function browserHeaders(headers: ResponseHeaders): Protocol.Fetch.HeaderEntry[] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    DROPPED.has(name) ? [] : [values].flat().map((value) => ({ name, value })),
  )
}

/** Returns whether the Content-Security-Policy of a page allows no scripts at all. Then timers don't run in it, either. */
export function forbidsScripts(headers: ResponseHeaders): boolean {
  const policies = [headers['content-security-policy'] ?? []].flat()
  return policies
    .flatMap((policy) => policy.split(/[;,]/))
    .some((each) => /^\s*sandbox(?:\s|$)/i.test(each) && !/\sallow-scripts(?:\s|$)/i.test(each))
}
