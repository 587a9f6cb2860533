import { HostIndex, type HostIndexMemory } from '../../url/host-index.ts'

/** The finding about a seed's host; the first one stands. */
const UNKNOWN = 0
const PUBLIC = 1
const PRIVATE = 2

/** Findings about the hosts of seeds, shared by all threads. */
export interface SeedHostsMemory {
  /** Hosts with their ports. */
  readonly hosts: HostIndexMemory
  /** The same hosts without ports. */
  readonly names: HostIndexMemory
  /** A byte for each host. */
  readonly findings: SharedArrayBuffer
}

/** The finding of the first look-up of a seed's host. */
export interface SeedHostFinding {
  /** The host with its port. */
  readonly host: string
  readonly isPrivate: boolean
}

/**
 * Records which seeds are at private addresses. The first look-up of a seed's host, by any worker, decides for all
 * workers and the whole crawl: a name that turns private later opens nothing, and one that turns public learns
 * nothing about private pages.
 */
export class SeedHosts {
  readonly #hosts: HostIndex
  readonly #findings: Uint8Array
  /** Numbers of hosts without a reported finding: they are looked at often, and soon few. Undefined until then. */
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
      names: HostIndex.allocate(distinct.map((host) => host.replace(/:\d+$/, ''))),
      findings: new SharedArrayBuffer(distinct.length),
    }
  }

  /** Returns undefined before the first look-up, and false for a host that is no seed's. */
  isPrivate(hostAndPort: string): boolean | undefined {
    const index = this.#hosts.find(hostAndPort)
    if (index === undefined) return false
    const finding = Atomics.load(this.#findings, index)
    return finding === UNKNOWN ? undefined : finding === PRIVATE
  }

  /** Records a finding, unless another was first. Returns the one that stands. */
  record(hostAndPort: string, isPrivate: boolean): boolean {
    const index = this.#hosts.find(hostAndPort)
    if (index === undefined) return false
    const finding = isPrivate ? PRIVATE : PUBLIC
    const before = Atomics.compareExchange(this.#findings, index, UNKNOWN, finding)
    return (before === UNKNOWN ? finding : before) === PRIVATE
  }

  /** Adds a finding of an earlier run or another process. */
  keep({ host, isPrivate }: SeedHostFinding): void {
    const index = this.#hosts.find(host)
    if (index === undefined) return
    this.record(host, isPrivate)
    this.#unreportedHosts().delete(index)
  }

  /** Reports all findings again: their reader may have lost them. */
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
