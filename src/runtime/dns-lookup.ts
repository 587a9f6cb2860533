import type { LookupAddress, RecordWithTtl } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../errors.ts'
import { isOutOfFiles, isShortOfFiles, OutOfFiles } from './out-of-files.ts'

/** Milliseconds until a query is repeated, and maximum queries to each server. */
const TIMEOUT_MS = 2_500
const TRIES = 2

/**
 * Milliseconds to wait for IPv6 addresses after IPv4 addresses were received (RFC 8305, 3), unless only they are used.
 * IPv4 addresses are waited for in any case: many machines can't connect to others.
 */
const PATIENCE_MS = 250

/** Maximum addresses of a name that are used. */
const MAX_ADDRESSES = 32

/** Names that are not in DNS: names of this machine or of its local network (RFC 6761, RFC 6762). */
const LOCAL = /^[^.]*\.?$|(?:^|\.)local(?:host)?\.?$/i

/** Names of this machine, all with its loopback addresses (RFC 6761, 6.3). */
const LOOPBACK = /(?:^|\.)localhost\.?$/i

/** Error code of a name that doesn't exist or has no address, the same as that of `dns.lookup`. */
export const NO_SUCH_NAME = 'ENOTFOUND'

/** Error codes of DNS for names without an address. Other files see only `NO_SUCH_NAME`. */
const NO_ADDRESS_CODES: ReadonlySet<string> = new Set([NO_SUCH_NAME, 'ENODATA', 'EBADNAME'])

/** Error code if no name server runs at the address that the system has configured. */
const NO_SERVER = 'ECONNREFUSED'

/** Limits of resolv.conf, the same as those of the C library's resolver. */
const MAX_DOMAINS = 6
const MAX_DOTS = 15

/** Maximum look-ups at a time. On Linux, they don't delay each other. On other systems, at most four run at a time. */
export const MAX_LOOKUPS = process.platform === 'linux' ? 64 : 16

export interface NameAddress extends LookupAddress {
  /** Time to live in DNS, in seconds; undefined if the system looked the name up. */
  readonly ttl?: number
}

interface LookupOptions {
  /** True if the user named the host. If DNS doesn't know it, the system may know it by other means. */
  readonly isGiven?: boolean
  /** The only family of addresses that is used; undefined for both. */
  readonly family?: 4 | 6 | undefined
}

type Lookup = (hostname: string) => Promise<readonly NameAddress[]>

/** The system's configuration of look-ups. */
interface NameServices {
  /** Addresses of name servers, with ports; by default those of the system. */
  readonly servers?: readonly string[]
  /** Milliseconds until a query is repeated. */
  readonly timeout?: number
  /** Names that have addresses in the system's hosts file. */
  readonly hosts: ReadonlySet<string>
  /** Domains that are appended to short names. */
  readonly search: readonly string[]
  /** Number of dots from which on a name is tried as it is, before a domain is appended. */
  readonly dots: number
  /** Looks a name up with the system's resolver. */
  readonly system: Lookup
}

/**
 * Looks names up as the system does, but without its `getaddrinfo`. That function blocks one of the process's four pool
 * threads, which file access needs, too. Names whose servers don't respond would delay all other names, and files.
 */
export class NameLookup {
  readonly #services: NameServices
  readonly #resolver: Resolver

  constructor(services: NameServices) {
    this.#services = services
    this.#resolver = new Resolver({ timeout: services.timeout ?? TIMEOUT_MS, tries: TRIES })
    if (services.servers !== undefined) this.#resolver.setServers(services.servers)
  }

  /** Returns the addresses of a host name. Rejects with an error that has `code` and `hostname`, as `dns.lookup` does. */
  async find(
    hostname: string,
    { isGiven = false, family }: LookupOptions = {},
  ): Promise<readonly NameAddress[]> {
    const { hosts, system } = this.#services
    if (LOCAL.test(hostname) || hosts.has(hostname.toLowerCase())) return system(hostname)
    try {
      const found = await this.#query(hostname, family)
      return found.slice(0, MAX_ADDRESSES)
    } catch (error) {
      const code = codeOf(error)
      const isUnknown = NO_ADDRESS_CODES.has(code)
      if (code === NO_SERVER || (isUnknown && isGiven)) return system(hostname)
      const known = isUnknown ? NO_SUCH_NAME : 'EAI_AGAIN'
      const message = `${known} ${hostname} (${code})`
      throw Object.assign(new Error(message, { cause: error }), { code: known, hostname })
    }
  }

  /** Returns the addresses of a name, or of the first existing name for which it may be short. */
  async #query(hostname: string, family: LookupOptions['family']): Promise<readonly NameAddress[]> {
    const needsIpv6 = family === 6
    let failure: unknown
    for (const name of this.#namesFor(hostname)) {
      try {
        return await this.#queryBoth(name, needsIpv6)
      } catch (error) {
        // The failure of the name itself takes precedence over those with a domain appended.
        if (failure === undefined || name === hostname) failure = error
        if (!NO_ADDRESS_CODES.has(codeOf(error))) throw error
      }
    }
    throw failure
  }

  #namesFor(hostname: string): readonly string[] {
    const { search, dots } = this.#services
    if (hostname.endsWith('.')) return [hostname]
    const longer = search.map((domain) => `${hostname}.${domain}`)
    const isFirst = hostname.split('.').length - 1 >= dots
    return isFirst ? [hostname, ...longer] : [...longer, hostname]
  }

  /** Queries IPv4 and IPv6 addresses at the same time, since servers may not respond for one of them. */
  async #queryBoth(name: string, needsIpv6: boolean): Promise<readonly NameAddress[]> {
    const four = this.#resolver.resolve4(name, { ttl: true }).then((all) => ofFamily(all, 4))
    const six = this.#resolver.resolve6(name, { ttl: true }).then((all) => ofFamily(all, 6))
    await Promise.any([four, six]).catch((error: AggregateError) => {
      // A name is known to have no address only if both queries say so.
      throw error.errors.find((each) => !NO_ADDRESS_CODES.has(codeOf(each))) ?? error.errors[0]
    })
    const found = await four.catch(() => [])
    const others = six.catch(() => [])
    if (needsIpv6) return [...found, ...(await others)]
    const late = sleep(PATIENCE_MS, [], { ref: false })
    return [...found, ...(await Promise.race([others, late]))]
  }
}

/** @throws Error for no records: the resolver accepts a reply that has only aliases (CNAME) */
function ofFamily(records: readonly RecordWithTtl[], family: 4 | 6): NameAddress[] {
  if (records.length === 0) throw Object.assign(new Error('no address'), { code: 'ENODATA' })
  return records.map(({ address, ttl }) => ({ address, family, ttl }))
}

let ofSystem: NameLookup | undefined

/**
 * Looks a name up with `NameLookup` on Linux, where it works as the system does, and with the system elsewhere.
 * @throws OutOfFiles if too many files are open for a look-up
 */
export async function lookUpName(
  hostname: string,
  options: LookupOptions = {},
): Promise<readonly NameAddress[]> {
  try {
    return await lookUp(hostname, options)
  } catch (error) {
    if (isOutOfFiles(error) || !isShortOfFiles()) throw error
    throw new OutOfFiles(`too many files are open to look ${hostname} up`, { cause: error })
  }
}

function lookUp(hostname: string, options: LookupOptions): Promise<readonly NameAddress[]> {
  // On other systems, several resolvers may be responsible for different names, by rules that only the system knows.
  if (process.platform !== 'linux') return askSystem(hostname)
  ofSystem ??= new NameLookup({
    ...parseResolvConf(textOf('/etc/resolv.conf')),
    hosts: parseHosts(textOf('/etc/hosts')),
    system: askSystem,
  })
  return ofSystem.find(hostname, options)
}

/** Returns the domains and the number of dots of a resolv.conf(5). */
export function parseResolvConf(text: string): Pick<NameServices, 'search' | 'dots'> {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const domains = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain')
  const options = lines.flatMap(([keyword, ...rest]) => (keyword === 'options' ? rest : []))
  const dots = options.findLast((option) => /^ndots:\d{1,2}$/.test(option))?.slice(6)
  return {
    search: (domains ?? []).slice(1, 1 + MAX_DOMAINS).filter((domain) => domain !== '.'),
    dots: Math.min(Number(dots ?? 1), MAX_DOTS),
  }
}

/** Returns the names of a hosts(5) file, in lower case. */
export function parseHosts(text: string): ReadonlySet<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase())
  return new Set(lines.flatMap((line) => line.split(/\s+/).slice(1)))
}

async function askSystem(hostname: string): Promise<readonly NameAddress[]> {
  try {
    return await lookup(hostname, { all: true })
  } catch (error) {
    // Many systems know only `localhost` itself.
    if (LOOPBACK.test(hostname) && !isOutOfFiles(error)) return lookup('localhost', { all: true })
    throw error
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isOutOfFiles(error)) throw error
    return '' // without the file, the defaults apply
  }
}
