import type { LookupAddress, RecordWithTtl } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../errors.ts'
import { areFilesShort, isOutOfFiles, OutOfFiles } from './out-of-files.ts'

/** Milliseconds until a server is asked again, and how often each is asked. */
const TIMEOUT_MS = 2_500
const TRIES = 2

/** Milliseconds that one family of addresses is waited for when the other is there (RFC 8305, 3). */
const PATIENCE_MS = 250

/** Addresses of a name that anybody tries. */
const MAX_ADDRESSES = 32

/** Names that are no matter of DNS: of the machine itself, or of the network around it (RFC 6761, RFC 6762). */
const LOCAL = /^[^.]*\.?$|(?:^|\.)local(?:host)?\.?$/i

/** Code of the error of a name that doesn't exist or has no address, as `dns.lookup` rejects with it. */
export const NO_SUCH_NAME = 'ENOTFOUND'

/** Codes with which name servers report that: `NO_SUCH_NAME` stands for all of them outside this file. */
const UNKNOWN_TO_DNS: ReadonlySet<string> = new Set([NO_SUCH_NAME, 'ENODATA', 'EBADNAME'])

/** Code of an error if nothing answers queries where the system says that it has its name server. */
const NO_SERVER = 'ECONNREFUSED'

/** As in the resolver of the C library. */
const MAX_DOMAINS = 6
const MAX_DOTS = 15

/** Look-ups at a time that don't delay each other. Elsewhere than on Linux, the system runs four of them. */
export const MAX_LOOKUPS = process.platform === 'linux' ? 64 : 16

/** An address of a name. */
export interface NameAddress extends LookupAddress {
  /** Seconds for which DNS says that it is valid; undefined if the system looked it up. */
  readonly ttl?: number
}

type Lookup = (hostname: string) => Promise<readonly NameAddress[]>

/** What is known of how the system looks names up. */
interface NameServices {
  /** Addresses of name servers, with ports; by default those of the system. */
  readonly servers?: readonly string[]
  /** Milliseconds until a server is asked again. */
  readonly timeout?: number
  /** Names that the system has addresses of itself. */
  readonly hosts: ReadonlySet<string>
  /** Domains that names may be in. */
  readonly search: readonly string[]
  /** Dots from which on a name is tried as it is before that. */
  readonly dots: number
  /** Asks the system. */
  readonly system: Lookup
}

/**
 * Looks names up as the system does, but without its `getaddrinfo`: that blocks one of the process's four pool threads,
 * which file access needs as well. Names whose servers don't answer would delay all other names, and files.
 */
export class NameLookup {
  readonly #services: NameServices
  readonly #resolver: Resolver

  constructor(services: NameServices) {
    this.#services = services
    this.#resolver = new Resolver({ timeout: services.timeout ?? TIMEOUT_MS, tries: TRIES })
    if (services.servers !== undefined) this.#resolver.setServers(services.servers)
  }

  /**
   * Gives the addresses of a host name; rejects with `code` and `hostname` as `dns.lookup` does.
   * @param isGiven whether the user named the host: the system may know it by other means than DNS
   */
  async find(hostname: string, isGiven = false): Promise<readonly NameAddress[]> {
    const { hosts, system } = this.#services
    if (LOCAL.test(hostname) || hosts.has(hostname.toLowerCase())) return system(hostname)
    try {
      const found = await this.#query(hostname)
      return found.slice(0, MAX_ADDRESSES)
    } catch (error) {
      const code = codeOf(error)
      const isUnknown = UNKNOWN_TO_DNS.has(code)
      if (code === NO_SERVER || (isUnknown && isGiven)) return system(hostname)
      const known = isUnknown ? NO_SUCH_NAME : 'EAI_AGAIN'
      const message = `${known} ${hostname} (${code})`
      throw Object.assign(new Error(message, { cause: error }), { code: known, hostname })
    }
  }

  /** The addresses of a name, or of the first one that it may be short for. */
  async #query(hostname: string): Promise<readonly NameAddress[]> {
    let failure: unknown
    for (const name of this.#namesFor(hostname)) {
      try {
        return await this.#queryBoth(name)
      } catch (error) {
        // What is said of the name itself is what counts.
        if (failure === undefined || name === hostname) failure = error
        if (!UNKNOWN_TO_DNS.has(codeOf(error))) throw error
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

  /** IPv4 and IPv6 at the same time: servers may be silent about one of them. */
  async #queryBoth(name: string): Promise<readonly NameAddress[]> {
    const families = [
      this.#resolver.resolve4(name, { ttl: true }).then((all) => ofFamily(all, 4)),
      this.#resolver.resolve6(name, { ttl: true }).then((all) => ofFamily(all, 6)),
    ]
    await Promise.any(families).catch((error: AggregateError) => {
      // That there is no such name is said of both, or it is not known.
      throw error.errors.find((each) => !UNKNOWN_TO_DNS.has(codeOf(each))) ?? error.errors[0]
    })
    const late = sleep(PATIENCE_MS, [], { ref: false })
    const found = families.map((family) => Promise.race([family.catch(() => []), late]))
    return (await Promise.all(found)).flat()
  }
}

function ofFamily(records: readonly RecordWithTtl[], family: 4 | 6): NameAddress[] {
  return records.map(({ address, ttl }) => ({ address, family, ttl }))
}

let ofSystem: NameLookup | undefined

/**
 * Looks a name up as `NameLookup` does, where that is known to be as the system would.
 * @throws OutOfFiles when too many files are open to find out
 */
export async function lookUpName(
  hostname: string,
  isGiven?: boolean,
): Promise<readonly NameAddress[]> {
  try {
    return await lookUp(hostname, isGiven)
  } catch (error) {
    if (isOutOfFiles(error) || !areFilesShort()) throw error
    throw new OutOfFiles(`too many files are open to look ${hostname} up`, { cause: error })
  }
}

function lookUp(hostname: string, isGiven?: boolean): Promise<readonly NameAddress[]> {
  // Elsewhere several resolvers share the names among them, by rules that only the system knows.
  if (process.platform !== 'linux') return askSystem(hostname)
  ofSystem ??= new NameLookup({
    ...parseResolvConf(textOf('/etc/resolv.conf')),
    hosts: parseHosts(textOf('/etc/hosts')),
    system: askSystem,
  })
  return ofSystem.find(hostname, isGiven)
}

/** The domains and the number of dots of resolv.conf(5). */
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

/** The names of hosts(5), in lower case. */
export function parseHosts(text: string): ReadonlySet<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase())
  return new Set(lines.flatMap((line) => line.split(/\s+/).slice(1)))
}

async function askSystem(hostname: string): Promise<readonly NameAddress[]> {
  return lookup(hostname, { all: true })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isOutOfFiles(error)) throw error
    return '' // then there are no such names
  }
}
