import { createRequire } from 'node:module'
import { withoutPort } from './host-key.ts'

type Tldts = typeof import('tldts')

let tldts: Tldts | undefined

/**
 * Returns the registrable domain of a host without a port: `example.co.uk` for `www.example.co.uk`. Uses the public
 * suffix list with its private section. Returns the host itself if it has no registrable domain (an IP address,
 * `localhost`, a public suffix).
 */
export function registrableDomain(host: string): string {
  tldts ??= load()
  return tldts.getDomain(host, { allowPrivateDomains: true, extractHostname: false }) ?? host
}

/** Returns the registrable domain of a host key, ignoring its port. */
export function domainOfHostKey(key: string): string {
  return registrableDomain(withoutPort(key))
}

/** Loads `tldts` on first use: loading takes 8 ms, and few crawls need it. */
function load(): Tldts {
  return createRequire(import.meta.url)('tldts')
}
