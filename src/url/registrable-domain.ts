import { createRequire } from 'node:module'

type Tldts = typeof import('tldts')

let tldts: Tldts | undefined

/**
 * The part of a host (no port) that its owner registered: `example.co.uk` of `www.example.co.uk`,
 * by the public suffix list with its private section. A host that has none (an IP address,
 * `localhost`, a public suffix) stands for itself.
 */
export function registrableDomain(host: string): string {
  tldts ??= load()
  return tldts.getDomain(host, { allowPrivateDomains: true, extractHostname: false }) ?? host
}

/** On the first need: the list takes 8 ms to load, and only one scope needs it. */
function load(): Tldts {
  return createRequire(import.meta.url)('tldts')
}
