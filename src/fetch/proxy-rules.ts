import { domainToASCII } from 'node:url'
import { BoundedMap } from '../collections/bounded-map.ts'
import { hostAndPort } from '../url/host-key.ts'
import { ipFamily, withoutBrackets } from '../url/ip-family.ts'
import { isLoopbackAddress, isPrivateName, networkOf } from './addresses/private-address.ts'

/** The rules that choose the proxy of a site. Plain data that can be sent to a thread. */
export interface ProxyRules {
  /** URLs of the proxies for http and https sites. Sites without a proxy are connected to directly. */
  readonly http?: string | undefined
  readonly https?: string | undefined
  /** Hosts that are connected to directly, as `isProxyException` accepts them. */
  readonly except: readonly string[]
  /** True if sites on this machine are connected to directly, too. */
  readonly exceptLoopback: boolean
}

/** Returns true if a site is connected to directly. */
type ProxyException = (hostname: string, port: string) => boolean

const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?$/u
/** Maximum number of origins whose choice is remembered, since each request needs it. */
const MAX_ORIGINS = 1_000

/**
 * Returns true if a text is a valid entry of `NO_PROXY`: `*`, a domain with or without a leading dot, an address, or a
 * network such as `10.0.0.0/8`. All except networks may have a port.
 */
export function isProxyException(text: string): boolean {
  return parseException(text) !== undefined
}

/** Chooses the proxy of each site. */
export class ProxyChoice {
  readonly #rules: ProxyRules
  readonly #exceptions: readonly ProxyException[]
  readonly #known = new BoundedMap<string, string | undefined>(MAX_ORIGINS)

  constructor(rules: ProxyRules) {
    this.#rules = rules
    const parsed = rules.except.flatMap((text) => parseException(text) ?? [])
    this.#exceptions = rules.exceptLoopback ? [isLoopback, ...parsed] : parsed
  }

  /** Returns the URL of the proxy for an origin; undefined if it is connected to directly. */
  proxyFor(origin: string): string | undefined {
    const { http, https } = this.#rules
    const proxy = origin.startsWith('https:') ? https : http
    if (proxy === undefined) return undefined
    if (this.#known.has(origin)) return this.#known.get(origin)
    const chosen = this.#isException(origin) ? undefined : proxy
    this.#known.set(origin, chosen)
    return chosen
  }

  #isException(origin: string): boolean {
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(hostAndPort(origin)) ?? []
    const hostname = withoutDot(withoutBrackets(host))
    return this.#exceptions.some((isException) => isException(hostname, port))
  }
}

const isLoopback: ProxyException = (hostname) =>
  ipFamily(hostname) > 0 ? isLoopbackAddress(hostname) : isPrivateName(hostname)

function parseException(text: string): ProxyException | undefined {
  const [, host = '', port] = /^(\[.+\]|[^:]+):(\d{1,5})$/.exec(text) ?? [text, text]
  const matches = parseHost(withoutBrackets(host))
  if (matches === undefined) return undefined
  return (hostname, sitePort) => (port === undefined || port === sitePort) && matches(hostname)
}

function parseHost(host: string): ((hostname: string) => boolean) | undefined {
  if (host === '*') return () => true
  const isInNetwork = networkOf(host)
  if (isInNetwork !== undefined) return isInNetwork
  const bare = withoutDot(host.replace(/^\*?\./, ''))
  if (!NAME.test(bare)) return undefined
  const name = domainToASCII(bare)
  if (name === '') return undefined
  const end = `.${name}`
  return (hostname) => hostname === name || hostname.endsWith(end)
}

/** Returns a name without the trailing dot of fully qualified names. */
function withoutDot(name: string): string {
  return name.replace(/\.$/, '')
}
