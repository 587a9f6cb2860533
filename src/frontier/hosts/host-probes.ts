import type { ProbeRequest } from '../../messages/to-worker.ts'
import type { ProbeTarget } from './host-availability.ts'
import type { HostQueue } from './host-queue.ts'

/** A probe in flight. */
export interface Probe extends ProbeTarget {
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

  /** Begins the probe of a host and returns its request; undefined if none is due. */
  begin(host: HostQueue, now: number): ProbeRequest | undefined {
    const target = host.availability.takeProbe()
    if (target === undefined) return undefined
    host.began()
    this.#inFlight.set(host.key, { ...target, host, sentAt: now })
    return { type: 'probe', host: host.key, ...target }
  }

  /** Ends the probe of a host and returns it; undefined if there is none. */
  end(key: string): Probe | undefined {
    const probe = this.#inFlight.get(key)
    this.#inFlight.delete(key)
    return probe
  }
}
