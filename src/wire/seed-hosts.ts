/** What was found out about a seed's host; the first finding stands. */
const UNKNOWN = 0
const PUBLIC = 1
const PRIVATE = 2

/** What threads share about the hosts of the seeds. */
export interface SeedHostsMemory {
  /** Host keys. */
  readonly hosts: readonly string[]
  /** A byte for each. */
  readonly findings: SharedArrayBuffer
}

/**
 * Which seeds are themselves at private addresses. The first look-up of a seed's host, by whatever
 * worker, settles it for all workers and for all of the crawl: a name that turns private later on
 * opens nothing.
 */
export class SeedHosts {
  readonly #index: ReadonlyMap<string, number>
  readonly #findings: Uint8Array

  constructor({ hosts, findings }: SeedHostsMemory) {
    this.#index = new Map(hosts.map((host, index) => [host, index]))
    this.#findings = new Uint8Array(findings)
  }

  static allocate(hostKeys: Iterable<string>): SeedHostsMemory {
    const hosts = [...new Set(hostKeys)]
    return { hosts, findings: new SharedArrayBuffer(hosts.length) }
  }

  /** Undefined when it has to be found out; false for a host that is no seed's. */
  isPrivate(hostKey: string): boolean | undefined {
    const index = this.#index.get(hostKey)
    if (index === undefined) return false
    const finding = Atomics.load(this.#findings, index)
    return finding === UNKNOWN ? undefined : finding === PRIVATE
  }

  /** Tells what was found, unless another was first; gives what stands. */
  settle(hostKey: string, isPrivate: boolean): boolean {
    const index = this.#index.get(hostKey)
    if (index === undefined) return false
    const finding = isPrivate ? PRIVATE : PUBLIC
    const before = Atomics.compareExchange(this.#findings, index, UNKNOWN, finding)
    return (before === UNKNOWN ? finding : before) === PRIVATE
  }
}
