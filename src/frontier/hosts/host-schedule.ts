import { Fifo } from '../fifo.ts'
import { Heap } from '../heap.ts'
import type { AddressLoad } from './host-load.ts'
import type { HostQueue, HostStatus } from './host-queue.ts'
import type { Sleeper } from './wait-histogram.ts'

/** The list in which the schedule keeps a host. */
type HostPlace = Exclude<HostStatus, 'blocked' | 'exhausted'>

/** Requests one after another that a host gets before it is another's turn. */
const MAX_STREAK = 16

/**
 * Decides which host is next: ready hosts take turns, snoozed hosts wait for their time. A turn is a streak of requests,
 * one at a time where other hosts are ready: the connection of the last one serves the next one, too.
 */
export class HostSchedule {
  readonly #places = new Map<HostQueue, HostPlace>()
  readonly #ready = new Fifo<HostQueue>()
  /** Hosts within their streak, which go before the others. */
  readonly #warm = new Fifo<HostQueue>()
  /** Hosts whose place in `#ready` doesn't count: they have, or had, one in `#warm` instead. */
  readonly #moved = new Set<HostQueue>()
  /** Number of requests that a host had at the start of its streak. */
  readonly #streaks = new Map<HostQueue, number>()
  readonly #sleeping = new Heap<HostQueue>()
  /** Hosts that wait for others at their address. */
  readonly #crowds = new Map<AddressLoad, Fifo<HostQueue>>()
  readonly #dormant = new Set<HostQueue>()
  #snoozed = 0
  #turns = 0

  /** Number of turns that were taken. */
  get turns(): number {
    return this.#turns
  }

  /** When the next host is ready, in milliseconds of the monotonic clock; undefined when none waits. */
  get wakeAt(): number | undefined {
    return this.hasReady ? 0 : this.#sleeping.firstAt
  }

  /** True when any host may be ready. */
  get hasReady(): boolean {
    return this.#ready.size + this.#warm.size > 0
  }

  /** True when any host is ready or snoozed. */
  get hasAwake(): boolean {
    return this.hasReady || this.#snoozed > 0
  }

  /** The hosts that the crawl doesn't wait for. */
  get dormant(): Iterable<HostQueue> {
    return [...this.#dormant]
  }

  /** The hosts that wait for a time, in no order. */
  get sleepers(): Sleeper[] {
    return [...this.#sleeping.values()]
      .filter(({ at, value }) => this.#isCurrent(value, at))
      .map(({ at, value }) => ({ host: value.key, until: at, isAway: value.isAwaited }))
  }

  /** Number of hosts that wait for a time. */
  get sleeping(): number {
    return this.#snoozed + this.#dormant.size
  }

  /** Schedules a host by its status; to be called whenever that may have changed. */
  place(host: HostQueue, now: number): void {
    if (!this.#places.has(host)) this.#place(host, now)
  }

  /** Notes that a request to a host has ended: hosts that wait for its address may go on. */
  freed(host: HostQueue, now: number): void {
    this.#callNext(host.load.atAddress, now)
    this.place(host, now)
    if (this.#places.get(host) === 'ready' && this.#mayGoOn(host)) {
      this.#moved.add(host)
      this.#warm.push(host)
    }
  }

  /** Wakes a sleeping host: something about it has changed. */
  rouse(host: HostQueue, now: number): void {
    if (!this.#isSleeping(host)) return
    this.#wake(host)
    this.#place(host, now)
  }

  /** Schedules a host anew, asleep or not: something about it has changed. */
  review(host: HostQueue, now: number): void {
    this.rouse(host, now)
    this.place(host, now)
  }

  /** Removes a host that leaves memory. */
  remove(host: HostQueue): void {
    if (this.#isSleeping(host)) this.#wake(host)
    this.#places.delete(host)
    this.#streaks.delete(host)
  }

  /** Drops all references to hosts that were removed. */
  forgetStale(): void {
    this.#sleeping.extract((host, at) => !this.#isCurrent(host, at))
    for (const hosts of [this.#ready, this.#warm]) {
      for (let left = hosts.size; left > 0; left--) {
        const host = hosts.shift()
        if (host === undefined) break
        if (this.#places.get(host) === 'ready') hosts.push(host)
        else this.#moved.delete(host)
      }
    }
  }

  /** Removes and returns the next host. It was ready when it was placed: its status may have changed since. */
  next(now: number): HostQueue | undefined {
    for (;;) {
      const due = this.#sleeping.popDue(now)
      if (due === undefined) break
      if (!this.#isCurrent(due.value, due.at)) continue // roused meanwhile
      this.#wake(due.value)
      if (this.#place(due.value, now) !== 'ready') this.#callNext(due.value.load.atAddress, now)
    }
    for (;;) {
      const host = this.#warm.shift() ?? this.#nextOfOthers()
      if (host === undefined) return undefined
      if (this.#places.get(host) !== 'ready') continue // has left
      this.#turns++
      this.#places.delete(host)
      return host
    }
  }

  /** Removes and returns the next host that begins a streak. */
  #nextOfOthers(): HostQueue | undefined {
    for (;;) {
      const host = this.#ready.shift()
      if (host === undefined) return undefined
      if (this.#moved.delete(host)) continue
      this.#streaks.set(host, host.load.requests)
      return host
    }
  }

  /** Returns whether a host goes before others: its streak has not ended, and it has no other request. */
  #mayGoOn(host: HostQueue): boolean {
    const { inFlight, requests, sharesAddress } = host.load
    if (inFlight > 0 || sharesAddress || this.#moved.has(host)) return false
    return requests - (this.#streaks.get(host) ?? Number.NEGATIVE_INFINITY) < MAX_STREAK
  }

  /** Places a host that has no place; returns undefined when it gets none. */
  #place(host: HostQueue, now: number): HostPlace | undefined {
    const status = host.status(now)
    if (status === 'blocked' || status === 'exhausted') return undefined
    this.#places.set(host, status)
    if (status === 'ready') this.#placeReady(host)
    else if (status === 'crowded') this.#crowdOf(host).push(host)
    else this.#sleep(host, status)
    return status
  }

  /** Places a host behind the others, or where it has been before. */
  #placeReady(host: HostQueue): void {
    if (!this.#moved.delete(host)) this.#ready.push(host)
  }

  #sleep(host: HostQueue, as: HostPlace): void {
    if (as === 'dormant') this.#dormant.add(host)
    else this.#snoozed++
    this.#sleeping.push(host.wakeAt, host)
  }

  #wake(host: HostQueue): void {
    if (!this.#dormant.delete(host)) this.#snoozed--
    this.#places.delete(host)
  }

  #isSleeping(host: HostQueue): boolean {
    const place = this.#places.get(host)
    return place === 'snoozed' || place === 'dormant'
  }

  /** Returns whether an entry belongs to a host that still sleeps until then. */
  #isCurrent(host: HostQueue, at: number): boolean {
    return this.#isSleeping(host) && host.wakeAt === at
  }

  /** Lets one host of an address go on, the longest waiting first. */
  #callNext(address: AddressLoad, now: number): void {
    const crowd = this.#crowds.get(address)
    if (crowd === undefined) return
    for (let left = crowd.size; left > 0; left--) {
      const host = crowd.shift()
      if (host === undefined) return
      this.#places.delete(host)
      const place = this.#place(host, now)
      if (place === 'ready') return
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
