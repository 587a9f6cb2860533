import type { ProbeRequest } from './availability.ts'
import type { HostQueue } from './host-queue.ts'

/** A request that finds out whether a host is there. */
interface Probe extends ProbeRequest {
  readonly host: HostQueue
  /** In milliseconds of the monotonic clock. */
  readonly askedAt: number
}

/** Probes under way, at most one for each host. */
export class HostProbes {
  readonly #underWay = new Map<string, Probe>()

  get size(): number {
    return this.#underWay.size
  }

  /** Hands out the probe that is due to a host; undefined when there is none. */
  open(host: HostQueue, now: number): ProbeRequest | undefined {
    const request = host.availability.takeProbe()
    if (request === undefined) return undefined
    host.asked(false)
    this.#underWay.set(host.key, { ...request, host, askedAt: now })
    return request
  }

  /** Takes the probe of a host that has come back; undefined when there was none. */
  take(key: string): Probe | undefined {
    const probe = this.#underWay.get(key)
    this.#underWay.delete(key)
    return probe
  }
}
