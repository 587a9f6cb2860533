import { createRequire } from 'node:module'

type Tldts = typeof import('tldts')

let tldts: Tldts | undefined

/**
 * Returns the part of a host (no port) that its owner registered: `example.co.uk` of
 * `www.example.co.uk`, by the public suffix list with its private section. Returns the host itself
 * if there is no such part (an IP address, `localhost`, a public suffix).
 */
export function registrableDomain(host: string): string {
  tldts ??= load()
  return tldts.getDomain(host, { allowPrivateDomains: true, extractHostname: false }) ?? host
}

/** Returns the registrable domain of a host key: its port makes no difference. */
export function domainOfHostKey(key: string): string {
  return registrableDomain(key.replace(/:\d+$/, ''))
}

/** Loaded on first use: the list takes 8 ms, and few crawls need it. */
function load(): Tldts {
  return createRequire(import.meta.url)('tldts')
}
