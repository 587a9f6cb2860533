import { registrableDomain } from './registrable-domain.ts'

/** Returns whether two URLs belong to the same site, as browsers do: scheme and registrable domain are the same. */
export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)]
  if (a === null || b === null || a.protocol !== b.protocol) return false
  return (
    a.hostname === b.hostname || registrableDomain(a.hostname) === registrableDomain(b.hostname)
  )
}
