import type { ProbeTarget } from './host-down-detector.ts'
import type { HostQueue } from './host-queue.ts'

/** A probe in flight. */
interface Probe extends ProbeTarget {
  readonly host: HostQueue
  /** In milliseconds of the monotonic clock. */
  readonly sentAt: number
}

/** The probes in flight, at most one per host. A probe finds out whether its host answers. */
export class HostProbes {
  readonly #inFlight = new Map<string, Probe>()

  get size(): number {
    return this.#inFlight.size
  }

  /** Begins the probe that is due to a host and returns its request; undefined when none is due. */
  begin(host: HostQueue, now: number): ProbeTarget | undefined {
    const request = host.availability.takeProbe()
    if (request === undefined) return undefined
    host.began(false)
    this.#inFlight.set(host.key, { ...request, host, sentAt: now })
    return request
  }

  /** Removes and returns the probe of a host that has ended; undefined when there was none. */
  end(key: string): Probe | undefined {
    const probe = this.#inFlight.get(key)
    this.#inFlight.delete(key)
    return probe
  }
}
