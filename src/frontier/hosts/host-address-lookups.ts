import type { Action } from '../action.ts'
import type { HostDirectory } from './host-directory.ts'
import type { HostQueue } from './host-queue.ts'

/** The DNS look-ups in flight: with `--per-ip` a host waits until its address is known. */
export class HostAddressLookups {
  readonly #hosts: HostDirectory
  #size = 0

  constructor(hosts: HostDirectory) {
    this.#hosts = hosts
  }

  get size(): number {
    return this.#size
  }

  /** Begins the look-up of a host, and returns the action for it. */
  begin(host: HostQueue): Extract<Action, { readonly type: 'look-up' }> {
    host.beginLookUp()
    this.#size++
    return { type: 'look-up', host: host.key }
  }

  /**
   * Ends a look-up. The host then shares the load of its address.
   * @param address undefined if none was found
   * @returns the host; undefined if no look-up of it was in flight
   */
  end(key: string, address: string | undefined): HostQueue | undefined {
    const host = this.#hosts.load(key)
    if (host.address !== 'requested') return undefined
    this.#size--
    host.endLookUp(address === undefined ? undefined : this.#hosts.loadAt(address))
    return host
  }
}
