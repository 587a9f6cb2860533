import { HostIndex, type HostIndexMemory } from '../../url/host-index.ts'
import { withoutPort } from '../../url/host-key.ts'

/** The states of a finding. The first finding about a host is final. */
const UNKNOWN = 0
const PUBLIC = 1
const PRIVATE = 2

/** The findings about the hosts of seeds, in memory that all threads share. */
export interface SeedHostsMemory {
  /** Hosts with their ports. */
  readonly hosts: HostIndexMemory
  /** The same hosts without ports. */
  readonly names: HostIndexMemory
  /** One byte per host. */
  readonly findings: SharedArrayBuffer
}

/** The result of the first look-up of a seed's host. */
export interface SeedHostFinding {
  /** The host with its port. */
  readonly host: string
  readonly isPrivate: boolean
}

/**
 * Records which seeds have private addresses. The first look-up of a seed's host, by any worker, decides for all
 * workers and the whole crawl. So a name that changes to a private address later gives no access to private hosts, and
 * the owner of a name that changes to a public address learns nothing about private pages.
 */
export class SeedHosts {
  readonly #hosts: HostIndex
  readonly #findings: Uint8Array
  /**
   * Numbers of the hosts whose finding was not reported yet; undefined until it is first needed. `takeFindings` is
   * called often, and soon has to check few hosts only.
   */
  #unreported: Set<number> | undefined

  constructor({ hosts, findings }: SeedHostsMemory) {
    this.#hosts = new HostIndex(hosts)
    this.#findings = new Uint8Array(findings)
  }

  /** @param hostsAndPorts of the seeds */
  static allocate(hostsAndPorts: Iterable<string>): SeedHostsMemory {
    const distinct = [...new Set(hostsAndPorts)]
    return {
      hosts: HostIndex.allocate(distinct),
      names: HostIndex.allocate(distinct.map(withoutPort)),
      findings: new SharedArrayBuffer(distinct.length),
    }
  }

  /** Returns undefined before the first look-up, and false for a host without a seed. */
  isPrivate(hostAndPort: string): boolean | undefined {
    const index = this.#hosts.find(hostAndPort)
    if (index === undefined) return false
    const finding = Atomics.load(this.#findings, index)
    return finding === UNKNOWN ? undefined : finding === PRIVATE
  }

  /** Records a finding unless there is one already. Returns the final one. */
  record(hostAndPort: string, isPrivate: boolean): boolean {
    const index = this.#hosts.find(hostAndPort)
    if (index === undefined) return false
    const finding = isPrivate ? PRIVATE : PUBLIC
    const before = Atomics.compareExchange(this.#findings, index, UNKNOWN, finding)
    return (before === UNKNOWN ? finding : before) === PRIVATE
  }

  /** Adds a finding of an earlier run or of another process. */
  addReported({ host, isPrivate }: SeedHostFinding): void {
    const index = this.#hosts.find(host)
    if (index === undefined) return
    this.record(host, isPrivate)
    this.#unreportedHosts().delete(index)
  }

  /** Makes `takeFindings` return all findings again, since its caller may have lost them. */
  reportAgain(): void {
    this.#unreported = undefined
  }

  /** Returns the findings since the last call. */
  takeFindings(): SeedHostFinding[] {
    const found: SeedHostFinding[] = []
    const unreported = this.#unreportedHosts()
    for (const index of unreported) {
      const finding = Atomics.load(this.#findings, index)
      if (finding === UNKNOWN) continue
      unreported.delete(index)
      found.push({ host: this.#hosts.at(index), isPrivate: finding === PRIVATE })
    }
    return found
  }

  #unreportedHosts(): Set<number> {
    this.#unreported ??= new Set(Array.from({ length: this.#hosts.size }, (_, index) => index))
    return this.#unreported
  }
}
