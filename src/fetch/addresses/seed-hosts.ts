/** What was found out about a seed's host; the first finding stands. */
const UNKNOWN = 0
const PUBLIC = 1
const PRIVATE = 2

/** What threads share about the hosts of the seeds. */
export interface SeedHostsMemory {
  /** Each with its port. */
  readonly hosts: readonly string[]
  /** A byte for each. */
  readonly findings: SharedArrayBuffer
}

/** What the first look-up of a seed's host found. */
export interface SeedHostFinding {
  /** With its port. */
  readonly host: string
  readonly isPrivate: boolean
}

/**
 * Which seeds are themselves at private addresses. The first look-up of a seed's host, by whatever
 * worker, settles it for all workers and for all of the crawl: a name that turns private later on
 * opens nothing, and one that turns public is told nothing of what was private.
 */
export class SeedHosts {
  readonly #hosts: readonly string[]
  readonly #index: ReadonlyMap<string, number>
  readonly #findings: Uint8Array
  /** Places of hosts of which nothing was told yet: few, once most are found, and looked at often. */
  #unreported = new Set<number>()

  constructor({ hosts, findings }: SeedHostsMemory) {
    this.#hosts = hosts
    this.#index = new Map(hosts.map((host, index) => [host, index]))
    this.#findings = new Uint8Array(findings)
    this.reportAgain()
  }

  /** @param hostsAndPorts of the seeds */
  static allocate(hostsAndPorts: Iterable<string>): SeedHostsMemory {
    const hosts = [...new Set(hostsAndPorts)]
    return { hosts, findings: new SharedArrayBuffer(hosts.length) }
  }

  /** Undefined when it has to be found out; false for a host that is no seed's. */
  isPrivate(hostAndPort: string): boolean | undefined {
    const index = this.#index.get(hostAndPort)
    if (index === undefined) return false
    const finding = Atomics.load(this.#findings, index)
    return finding === UNKNOWN ? undefined : finding === PRIVATE
  }

  /** Tells what was found, unless another was first; gives what stands. */
  record(hostAndPort: string, isPrivate: boolean): boolean {
    const index = this.#index.get(hostAndPort)
    if (index === undefined) return false
    const finding = isPrivate ? PRIVATE : PUBLIC
    const before = Atomics.compareExchange(this.#findings, index, UNKNOWN, finding)
    return (before === UNKNOWN ? finding : before) === PRIVATE
  }

  /** Takes over what an earlier run or another process found. */
  keep({ host, isPrivate }: SeedHostFinding): void {
    const index = this.#index.get(host)
    if (index === undefined) return
    this.record(host, isPrivate)
    this.#unreported.delete(index)
  }

  /** Whoever was told may have forgotten. */
  reportAgain(): void {
    this.#unreported = new Set(this.#hosts.keys())
  }

  /** Returns what was found since the last call. */
  takeFindings(): SeedHostFinding[] {
    const found: SeedHostFinding[] = []
    for (const index of this.#unreported) {
      const finding = Atomics.load(this.#findings, index)
      if (finding === UNKNOWN) continue
      this.#unreported.delete(index)
      found.push({ host: this.#hosts[index] ?? '', isPrivate: finding === PRIVATE })
    }
    return found
  }
}
