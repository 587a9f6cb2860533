import { lookUpName } from '../runtime/dns-lookup.ts'
import { HostIndex } from '../url/host-index.ts'
import { withAddressCheck } from './addresses/address-check.ts'
import { AddressGuard, type GuardOptions } from './addresses/address-guard.ts'
import { type AddressResolver, cachingResolver } from './addresses/resolver.ts'
import { basicCredentials } from './authentication/basic-credentials.ts'
import { withDigestLogin } from './authentication/digest-login.ts'
import type { Fetcher } from './fetcher.ts'
import type { BackendOptions, FetcherBackend } from './fetcher-backend.ts'
import { FolderFetcher } from './folder/folder-fetcher.ts'
import { HttpFetcher } from './http/http-fetcher.ts'
import { withLimits } from './limited-fetcher.ts'
import {
  type CookieStore,
  type RequestHeaderOptions,
  withRequestHeaders,
} from './request-headers.ts'

export interface FetcherOptions
  extends Omit<BackendOptions, 'guard'>,
    RequestHeaderOptions,
    GuardOptions {
  /** Looks names up; by default as the system does. */
  readonly resolver?: AddressResolver
}

/** @param cookies the store of cookies; without it, none are kept or sent */
export function openFetcher(options: FetcherOptions, cookies?: CookieStore): Fetcher {
  const guard = new AddressGuard(options, options.resolver ?? systemResolver(options))
  const backend = openBackend({ ...options, guard })
  const fetcher = withRequestHeaders(backend, options, cookies)
  const { limits } = options
  const limited = limits === undefined ? fetcher : withLimits(fetcher, limits)
  const credentials = basicCredentials(options)
  // Each answer to a challenge is a request, and counts as one.
  const complete = credentials.size === 0 ? limited : withDigestLogin(limited, credentials)
  return withAddressCheck(complete, guard)
}

function openBackend(options: BackendOptions): FetcherBackend {
  const network = new HttpFetcher(options)
  const { siteFolder } = options
  return siteFolder === undefined ? network : new FolderFetcher(siteFolder, network, options)
}

/** Returns the default resolver. The system may know hosts that the user named by other means than DNS. */
function systemResolver({ seedHosts, proxies, family }: FetcherOptions): AddressResolver {
  const urls = [proxies?.http, proxies?.https].flatMap((url) => url ?? [])
  const proxyHosts = new Set(urls.map((url) => new URL(url).hostname))
  const seeds = new HostIndex(seedHosts.names)
  const isGiven = (hostname: string) =>
    seeds.find(hostname) !== undefined || proxyHosts.has(hostname)
  return cachingResolver((hostname) => lookUpName(hostname, { isGiven: isGiven(hostname), family }))
}
