import { Secret } from '../../../secret.ts'
import { withoutBrackets } from '../../../url/ip-family.ts'
import { percentDecoded } from '../../../url/percent-decoded.ts'
import { FetchFailure } from '../../fetch-failure.ts'

/** The status of a proxy that accepts no request without credentials, or not with these (RFC 9110, 15.5.8). */
export const PROXY_AUTHENTICATION_REQUIRED = 407

/** A proxy, as described by its URL. */
export interface ProxyServer {
  readonly protocol: 'http:' | 'https:' | 'socks5:'
  /** Scheme, host and port. */
  readonly origin: string
  /** The host name, or an address without brackets. */
  readonly hostname: string
  readonly port: number
  /** The decoded credentials, if the URL contains some. */
  readonly credentials?: { readonly username: string; readonly password: Secret }
}

const DEFAULT_PORTS = { 'http:': 80, 'https:': 443, 'socks5:': 1080 } as const

/** @param text a URL that the config has validated */
export function parseProxy(text: string): ProxyServer {
  const url = new URL(text)
  const { host, hostname, password, username } = url
  const protocol = protocolOf(url)
  const port = Number(url.port) || DEFAULT_PORTS[protocol]
  const origin = `${protocol}//${host}`
  const proxy = { protocol, origin, hostname: withoutBrackets(hostname), port }
  if (username === '' && password === '') return proxy
  return {
    ...proxy,
    credentials: {
      username: percentDecoded(username),
      password: new Secret(percentDecoded(password)),
    },
  }
}

/** Returns the Proxy-Authorization header, if there are credentials (RFC 9110, 11.7.2; RFC 7617). */
export function proxyAuthorization({ credentials }: ProxyServer): Record<string, string> {
  if (credentials === undefined) return {}
  const { username, password } = credentials
  const basic = Buffer.from(`${username}:${password.reveal()}`).toString('base64')
  return { 'proxy-authorization': `Basic ${basic}` }
}

/** Returns the failure of a request that the proxy can't or won't make. */
export function proxyFailure(message: string): FetchFailure {
  return new FetchFailure('proxy-failure', message, 'permanent')
}

/** Returns the failure of a request that the proxy answered with `PROXY_AUTHENTICATION_REQUIRED`. */
export function unauthenticated(): FetchFailure {
  return proxyFailure(
    'the proxy requires authentication, or refuses these credentials (status 407)',
  )
}

function protocolOf({ protocol }: URL): ProxyServer['protocol'] {
  return protocol === 'http:' || protocol === 'https:' ? protocol : 'socks5:'
}
