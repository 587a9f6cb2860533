import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns 4 or 6 for an IP address, and 0 for any other text, like `isIP` of node:net. `isIP` isn't used: on the first
 * text that isn't an IPv4 address, such as a host name, it compiles a regular expression for 9 ms.
 */
export function ipFamily(text: string): 0 | 4 | 6 {
  if (isIPv4(text)) return 4
  return text.includes(':') && isIPv6(text) ? 6 : 0
}

/** Returns a host in the form of URLs: an IPv6 address in brackets. */
export function withBrackets(hostname: string): string {
  return ipFamily(hostname) === 6 ? `[${hostname}]` : hostname
}

/** Returns a host in the form that sockets expect: an IPv6 address without its brackets. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
