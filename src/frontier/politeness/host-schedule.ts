import { Fifo } from '../fifo.ts'
import { Heap } from '../heap.ts'
import type { Budget } from './budget.ts'
import type { HostQueue } from './host-queue.ts'
import type { Sleeper } from './host-waits.ts'

/** Which host is next: those that are ready take turns, those that are snoozed wait for their time. */
export class HostSchedule {
  readonly #ready = new Fifo<HostQueue>()
  readonly #sleeping = new Heap<HostQueue>()
  /** Hosts that wait for others at their address. */
  readonly #crowds = new Map<Budget, Fifo<HostQueue>>()
  readonly #dormant = new Set<HostQueue>()
  #snoozed = 0
  /** How often a host had its turn. */
  turns = 0

  /** Milliseconds of the monotonic clock when the next host is ready; undefined when none waits. */
  get wakeAt(): number | undefined {
    return this.#ready.size > 0 ? 0 : this.#sleeping.firstAt
  }

  /** Whether a host's turn may have come. */
  get hasReady(): boolean {
    return this.#ready.size > 0
  }

  /** Whether any is ready, or waits for a time that is worth waiting for. */
  get hasAwake(): boolean {
    return this.#ready.size > 0 || this.#snoozed > 0
  }

  /** Hosts that nobody waits for alone. */
  get dormant(): Iterable<HostQueue> {
    return [...this.#dormant]
  }

  /** Hosts whose time has not come, and when that is, in no order. */
  get sleepers(): Sleeper[] {
    return [...this.#sleeping.values()]
      .filter(({ at, value }) => isCurrent(value, at))
      .map(({ at, value }) => ({ host: value.key, until: at, isAway: value.isAwaited }))
  }

  /** How many hosts wait for their time. */
  get sleeping(): number {
    return this.#snoozed + this.#dormant.size
  }

  /**
   * Puts a host where its status says; to be called whenever that may have changed.
   * @returns where it is
   */
  place(host: HostQueue, now: number): HostQueue['placed'] {
    if (host.placed !== 'nowhere') return host.placed
    const status = host.status(now)
    if (status === 'blocked' || status === 'exhausted') return 'nowhere'
    host.placed = status
    if (status === 'ready') this.#ready.push(host)
    else if (status === 'crowded') this.#crowdOf(host).push(host)
    else this.#sleep(host)
    return status
  }

  /** A host, or another at its address, may have become free: those in its crowd may go on. */
  freed(host: HostQueue, now: number): void {
    this.#callNext(host.load.budget, now)
    this.place(host, now)
  }

  /** Takes a host out of its sleep: something has changed. */
  rouse(host: HostQueue, now: number): void {
    if (host.placed !== 'snoozed' && host.placed !== 'dormant') return
    this.#wake(host)
    this.place(host, now)
  }

  /** A host leaves memory: it is nowhere. */
  remove(host: HostQueue): void {
    if (host.placed === 'snoozed' || host.placed === 'dormant') this.#wake(host)
    host.placed = 'nowhere'
  }

  /** Lets go of what was removed. */
  forgetStale(): void {
    this.#sleeping.extract((host, at) => !isCurrent(host, at))
    for (let left = this.#ready.size; left > 0; left--) {
      const host = this.#ready.shift()
      if (host?.placed === 'ready') this.#ready.push(host)
    }
  }

  /** Takes the host whose turn it is. Its status was ready when it was placed: ask again. */
  next(now: number): HostQueue | undefined {
    for (;;) {
      const due = this.#sleeping.popDue(now)
      if (due === undefined) break
      if (!isCurrent(due.value, due.at)) continue // roused meanwhile
      this.#wake(due.value)
      if (this.place(due.value, now) !== 'ready') this.#callNext(due.value.load.budget, now)
    }
    let host = this.#ready.shift()
    while (host !== undefined && host.placed !== 'ready') host = this.#ready.shift() // has left
    if (host === undefined) return undefined
    this.turns++
    host.placed = 'nowhere'
    return host
  }

  #sleep(host: HostQueue): void {
    if (host.placed === 'dormant') this.#dormant.add(host)
    else this.#snoozed++
    this.#sleeping.push(host.wakeAt, host)
  }

  #wake(host: HostQueue): void {
    if (host.placed === 'dormant') this.#dormant.delete(host)
    else this.#snoozed--
    host.placed = 'nowhere'
  }

  /** One of the crowd may go on, those that waited longest first. */
  #callNext(budget: Budget, now: number): void {
    const crowd = this.#crowds.get(budget)
    if (crowd === undefined) return
    for (let left = crowd.size; left > 0; left--) {
      const host = crowd.shift()
      if (host === undefined) return
      host.placed = 'nowhere'
      const placed = this.place(host, now)
      if (placed === 'ready') return
      if (placed === 'snoozed' && host.wakeAt <= budget.notBefore) return
    }
    if (crowd.size === 0) this.#crowds.delete(budget)
  }

  #crowdOf(host: HostQueue): Fifo<HostQueue> {
    const crowd = this.#crowds.get(host.load.budget) ?? new Fifo<HostQueue>()
    this.#crowds.set(host.load.budget, crowd)
    return crowd
  }
}

/** Whether an entry is that of a host that still sleeps until then. */
function isCurrent(host: HostQueue, at: number): boolean {
  return (host.placed === 'snoozed' || host.placed === 'dormant') && host.wakeAt === at
}
