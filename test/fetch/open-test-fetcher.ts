import { onTestFinished } from 'vitest'
import { SeedHosts } from '../../src/fetch/addresses/seed-hosts.ts'
import type { Fetcher } from '../../src/fetch/fetcher.ts'
import { type FetcherOptions, openFetcher } from '../../src/fetch/open-fetcher.ts'
import type { CookieStore } from '../../src/fetch/request-headers.ts'

/** Opens a fetcher that is closed with the test. */
export function openTestFetcher(
  options: Partial<FetcherOptions> = {},
  cookies?: CookieStore,
): Fetcher {
  const fetcher = openFetcher(
    {
      concurrency: 4,
      timeout: 60_000,
      userAgent: 'test-agent/1.0 (+http://127.0.0.1/)',
      headers: {},
      headerOrigins: [],
      authorizations: {},
      insecure: false,
      connectTimeout: 60_000,
      allowPrivate: true,
      seedHosts: SeedHosts.allocate([]),
      bodySlots: [],
      ...options,
    },
    cookies,
  )
  onTestFinished(() => fetcher.close())
  return fetcher
}

/** Maximum bytes of a body, for tests where it doesn't matter. */
export const ENOUGH = 1_000_000
