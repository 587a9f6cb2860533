import { onTestFinished } from 'vitest'
import { HttpClient, type HttpOptions } from '../../src/fetch/http-client.ts'
import type { Cookies } from '../../src/fetch/request-headers.ts'
import { SeedHosts } from '../../src/fetch/seed-hosts.ts'

/** A client that ends with the test. */
export function openClient(options: Partial<HttpOptions> = {}, cookies?: Cookies): HttpClient {
  const client = new HttpClient(
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
  onTestFinished(() => client.close())
  return client
}

/** Most bytes of a body, where a test doesn't care. */
export const ENOUGH = 1_000_000
