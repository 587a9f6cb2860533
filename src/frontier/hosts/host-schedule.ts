import { Fifo } from '../../collections/fifo.ts'
import { Heap } from '../../collections/heap.ts'
import type { ConnectionShare } from './connection-share.ts'
import type { AddressLoad } from './host-load.ts'
import type { HostQueue, HostStatus } from './host-queue.ts'
import type { Sleeper } from './sleepers.ts'

/** The list in which the schedule keeps a host. Hosts in the first four are ready. */
type HostPlace =
  | 'next'
  | 'waiting'
  | 'busy'
  | 'held'
  | Exclude<HostStatus, 'ready' | 'blocked' | 'exhausted'>

/** Maximum consecutive requests to a host before another host has its turn. */
const MAX_STREAK = 16

/**
 * Decides which host is next. Ready hosts take turns. In its turn, a host gets a streak of requests, one at a time, so
 * that they can share a connection. A host gets several requests at a time only if no other host is ready. Hosts that are
 * not quick are held back while the share of connections doesn't admit them. Snoozed hosts wait for their time.
 */
export class HostSchedule {
  readonly #places = new Map<HostQueue, HostPlace>()
  /** Hosts within their streak. */
  readonly #next = new Fifo<HostQueue>()
  readonly #waiting = new Fifo<HostQueue>()
  /** Hosts that have requests in flight, and may have more. */
  readonly #busy = new Set<HostQueue>()
  /** Ready hosts that wait for a connection that they may have: within their streak, and others. */
  readonly #heldNext = new Set<HostQueue>()
  readonly #held = new Set<HostQueue>()
  readonly #share: ConnectionShare
  /** Number of requests that a host had at the start of its streak. */
  readonly #streaks = new Map<HostQueue, number>()
  readonly #sleeping = new Heap<HostQueue>()
  /** Hosts that wait for others at their address. */
  readonly #crowds = new Map<AddressLoad, Fifo<HostQueue>>()
  readonly #dormant = new Set<HostQueue>()
  #snoozed = 0
  #turns = 0

  constructor(share: ConnectionShare) {
    this.#share = share
  }

  /** Number of turns so far. */
  get turns(): number {
    return this.#turns
  }

  /** When the next host is ready, in milliseconds of the monotonic clock; undefined if none waits. */
  get wakeAt(): number | undefined {
    if (this.#ready > 0) return 0
    const held = this.#heldBack > 0 ? this.#share.admitsUnprovenAt : Infinity
    const at = Math.min(held, this.#sleeping.firstAt ?? Infinity)
    return at < Infinity ? at : undefined
  }

  /** True if any host may be ready. */
  get hasReady(): boolean {
    return this.#ready + this.#heldBack > 0
  }

  get #heldBack(): number {
    return this.#heldNext.size + this.#held.size
  }

  /** Maximum number of ready hosts that are not held back. */
  get #ready(): number {
    return this.#next.size + this.#waiting.size + this.#busy.size
  }

  /** True if any host is ready or snoozed. */
  get hasAwake(): boolean {
    return this.hasReady || this.#snoozed > 0
  }

  /** The hosts that the crawl doesn't wait for. */
  get dormant(): Iterable<HostQueue> {
    return [...this.#dormant]
  }

  /** The hosts that wait for a time, in no particular order. */
  get sleepers(): Sleeper[] {
    const current = [...this.#sleeping.values()].filter(
      ({ at, value }) => this.#isCurrent(value, at) && this.#places.get(value) !== 'behind',
    )
    // A host has two entries if it was roused and sleeps until the same time again.
    const hosts = new Set(current.map(({ value }) => value))
    return Array.from(hosts, ({ key, wakeAt, isAway }) => ({ host: key, until: wakeAt, isAway }))
  }

  /** Number of hosts that wait for a time. */
  get sleeping(): number {
    return this.#snoozed + this.#dormant.size
  }

  /** Schedules a host by its status. Must be called whenever the status may have changed. */
  place(host: HostQueue, now: number): void {
    if (this.#places.get(host) === 'behind') this.#wake(host)
    if (!this.#places.has(host)) this.#place(host, now)
  }

  /** Notes that a request to a host has ended, so that a host that waits for its address can be next. */
  freed(host: HostQueue, now: number): void {
    this.#callNext(host.load.atAddress, now)
    const place = this.#places.get(host)
    if (place === 'busy' || place === 'held') this.#leave(host)
    this.place(host, now)
  }

  /** Wakes a sleeping host: something about it has changed. */
  rouse(host: HostQueue, now: number): void {
    if (!this.#isSleeping(host)) return
    this.#wake(host)
    this.#place(host, now)
  }

  /** Schedules a host again, whether it sleeps or not: something about it has changed. */
  review(host: HostQueue, now: number): void {
    this.rouse(host, now)
    this.place(host, now)
  }

  /** Gives a host one request before all hosts without a streak. Must be called before the host is placed. */
  expedite(host: HostQueue): void {
    this.#streaks.set(host, host.load.requests - MAX_STREAK + 1)
  }

  /**
   * Ends the turn of a host that is slow, or doesn't respond: a connection to share would save little time, and other
   * hosts would wait for long. Must be called before the host is placed.
   */
  endTurn(host: HostQueue): void {
    this.#streaks.delete(host)
  }

  /** Removes a host that leaves memory. */
  remove(host: HostQueue): void {
    if (this.#isSleeping(host)) this.#wake(host)
    this.#leave(host)
    this.#streaks.delete(host)
  }

  /** Drops all references to hosts that were removed. */
  forgetStale(): void {
    this.#sleeping.extract((host, at) => !this.#isCurrent(host, at))
    for (const hosts of [this.#next, this.#waiting]) {
      for (let left = hosts.size; left > 0; left--) {
        const host = hosts.shift()
        if (host !== undefined && this.#places.has(host)) hosts.push(host)
      }
    }
  }

  /** Removes and returns the next host. It was ready when it was placed, but its status may have changed since. */
  next(now: number): HostQueue | undefined {
    for (;;) {
      const due = this.#sleeping.popDue(now)
      if (due === undefined) break
      if (!this.#isCurrent(due.value, due.at)) continue // roused meanwhile
      this.#wake(due.value)
      if (!isReady(this.#place(due.value, now))) this.#callNext(due.value.load.atAddress, now)
    }
    const next = this.#firstReady(now >= this.#share.admitsUnprovenAt)
    if (next === undefined) return undefined
    this.#turns++
    if (this.#isNewTurn(next)) this.#streaks.set(next, next.load.requests)
    this.#leave(next)
    return next
  }

  /** Returns whether the turn of a host begins a streak. */
  #isNewTurn(host: HostQueue): boolean {
    return (
      this.#places.get(host) === 'waiting' || (this.#held.has(host) && host.load.inFlight === 0)
    )
  }

  /** Returns the first host that may have a connection, and holds back those before it. */
  #firstReady(admitsUnproven: boolean): HostQueue | undefined {
    for (;;) {
      const host =
        (admitsUnproven ? firstIn(this.#heldNext) : undefined) ??
        this.#firstOf(this.#next, 'next') ??
        (admitsUnproven ? firstIn(this.#held) : undefined) ??
        this.#firstOf(this.#waiting, 'waiting') ??
        firstIn(this.#busy)
      if (host === undefined || admitsUnproven || host.load.isQuick) return host
      const list = this.#places.get(host) === 'next' ? this.#heldNext : this.#held
      this.#leave(host)
      list.add(host)
      this.#places.set(host, 'held')
    }
  }

  /** Removes and returns the first host of a list that still has its place there. */
  #firstOf(hosts: Fifo<HostQueue>, place: HostPlace): HostQueue | undefined {
    for (;;) {
      const host = hosts.shift()
      if (host === undefined || this.#places.get(host) === place) return host
    }
  }

  #leave(host: HostQueue): void {
    this.#busy.delete(host)
    this.#heldNext.delete(host)
    this.#held.delete(host)
    this.#places.delete(host)
  }

  /** Places a host that has no place. Returns undefined if it gets none. */
  #place(host: HostQueue, now: number): HostPlace | undefined {
    const status = host.status(now)
    if (status === 'blocked' || status === 'exhausted') return undefined
    const place = status === 'ready' ? this.#placeOfReady(host) : status
    this.#places.set(host, place)
    if (place === 'next') this.#next.push(host)
    else if (place === 'waiting') this.#waiting.push(host)
    else if (place === 'busy') this.#busy.add(host)
    else if (place === 'crowded') this.#crowdOf(host).push(host)
    else this.#sleep(host, place)
    return place
  }

  #placeOfReady(host: HostQueue): 'next' | 'waiting' | 'busy' {
    const { inFlight, requests, sharesAddress } = host.load
    if (inFlight > 0) return 'busy'
    const start = this.#streaks.get(host) ?? Number.NEGATIVE_INFINITY
    return sharesAddress || requests - start >= MAX_STREAK ? 'waiting' : 'next'
  }

  #sleep(host: HostQueue, as: HostPlace): void {
    if (as === 'dormant') this.#dormant.add(host)
    else if (as === 'snoozed') this.#snoozed++
    this.#sleeping.push(host.wakeAt, host)
  }

  #wake(host: HostQueue): void {
    if (this.#places.get(host) === 'snoozed') this.#snoozed--
    this.#dormant.delete(host)
    this.#places.delete(host)
  }

  #isSleeping(host: HostQueue): boolean {
    const place = this.#places.get(host)
    return place === 'snoozed' || place === 'dormant' || place === 'behind'
  }

  /** Returns whether an entry of the heap belongs to a host that still sleeps until this time. */
  #isCurrent(host: HostQueue, at: number): boolean {
    return this.#isSleeping(host) && host.wakeAt === at
  }

  /** Schedules a host that waits for an address, the longest waiting first. */
  #callNext(address: AddressLoad, now: number): void {
    const crowd = this.#crowds.get(address)
    if (crowd === undefined) return
    for (let left = crowd.size; left > 0; left--) {
      const host = crowd.shift()
      if (host === undefined) return
      this.#places.delete(host)
      const place = this.#place(host, now)
      if (isReady(place)) return
      if (place === 'snoozed' && host.wakeAt <= address.notBefore) return
    }
    if (crowd.size === 0) this.#crowds.delete(address)
  }

  #crowdOf(host: HostQueue): Fifo<HostQueue> {
    const { atAddress } = host.load
    const crowd = this.#crowds.get(atAddress) ?? new Fifo<HostQueue>()
    this.#crowds.set(atAddress, crowd)
    return crowd
  }
}

function firstIn(hosts: ReadonlySet<HostQueue>): HostQueue | undefined {
  return hosts.values().next().value
}

function isReady(place: HostPlace | undefined): boolean {
  return place === 'next' || place === 'waiting' || place === 'busy'
}
