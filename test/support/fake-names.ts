import dns from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Replaces the system's resolver in a process that is started with `namesIn(file)`. The file contains addresses by
 * name, as JSON, and may change meanwhile. Other names are resolved as usual.
 */
const file = process.env['FAKE_NAMES'] ?? ''
const { lookup } = dns

dns.lookup = (async (name: string, options: object) => {
  const names: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
  const address = names[name]
  if (address === undefined) return lookup(name, options)
  return [{ address, family: address.includes(':') ? 6 : 4 }]
}) as typeof lookup
syncBuiltinESMExports()
