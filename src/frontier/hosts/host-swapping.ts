import type { ParkedHosts } from '../storage/parked-hosts.ts'
import type { HostDirectory } from './host-directory.ts'
import type { HostQueue } from './host-queue.ts'
import type { HostSchedule } from './host-schedule.ts'

/** Requests that a ready host may make before another takes its place. */
const QUANTUM = 8
/** Share of the hosts in memory that leave at a time: to search all of them more often would be costly. */
const LEAVING = 1 / 8
/** Maximum hosts that are loaded into memory at a time. */
const COMING = 256
/** Milliseconds until the next try when no host could leave. */
const RETRY_MS = 100

/**
 * Decides which hosts are in memory. While there is room, all hosts that have something to do are in memory. When
 * it is full, hosts that wait for a time or have had a few turns leave, and the longest overdue hosts are loaded. So
 * each host has its turn, however many there are. Its pauses are kept, because they are stored with it.
 */
export class HostSwapping {
  readonly #hosts: HostDirectory
  readonly #parked: ParkedHosts
  readonly #schedule: HostSchedule
  /** True if hosts are loaded when they are due; otherwise the deterministic order has them loaded. */
  readonly #isByTime: boolean
  /** Number of hosts that leave at a time, and of turns before more hosts leave. */
  readonly #leaving: number
  #leftAt = 0
  #tryAt = 0

  constructor(
    hosts: HostDirectory,
    parked: ParkedHosts,
    schedule: HostSchedule,
    isByTime: boolean,
  ) {
    this.#hosts = hosts
    this.#parked = parked
    this.#schedule = schedule
    this.#isByTime = isByTime
    this.#leaving = Math.ceil(hosts.capacity * LEAVING)
  }

  /** When a host may be ready, in milliseconds of the monotonic clock; infinite when none waits. */
  get wakeAt(): number {
    const placed = this.#schedule.wakeAt ?? Infinity
    // Parked hosts wait until the ready ones have had turns. These may wait for a connection, so not for a time.
    const waitsForTurns = this.#hosts.room <= 0 && this.#schedule.hasReady
    if (!this.#isByTime || waitsForTurns) return placed
    return Math.min(placed, Math.max(this.#parked.firstAt, this.#tryAt))
  }

  /** Exchanges hosts. Must be called before each turn. */
  turn(now: number): void {
    if (!this.#isByTime) {
      if (this.#hosts.room < -this.#leaving) this.#release(now)
    } else if (this.#parked.firstAt <= now) this.#exchange(now)
  }

  /**
   * Stops waiting for the robots.txt of dormant hosts, some hosts at a time. Returns false if there are other
   * hosts to wait for, or no dormant ones.
   */
  giveUpDormant(now: number): boolean {
    if (this.#schedule.hasAwake || (this.#isByTime && this.#parked.awake > 0)) return false
    const parked = this.#parked.takeDormant(COMING)
    const hosts = [...this.#schedule.dormant, ...parked.map((each) => this.#hosts.loadTaken(each))]
    for (const host of hosts) {
      host.robots.giveUp(now)
      this.#schedule.review(host, now)
    }
    return hosts.length > 0
  }

  #exchange(now: number): void {
    if (this.#hosts.room <= 0) {
      const isIdle = !this.#schedule.hasReady
      if (isIdle ? now < this.#tryAt : this.#schedule.turns - this.#leftAt < this.#leaving) return
      this.#release(now)
      if (this.#hosts.room <= 0 && !isIdle) return
    }
    let room = this.#hosts.room
    if (room <= 0) {
      // No host can leave, and none is ready: without further hosts the crawl would stall.
      this.#tryAt = now + RETRY_MS
      room = COMING
    }
    for (const record of this.#parked.takeDue(now, Math.min(room, COMING))) {
      this.#schedule.place(this.#hosts.loadTaken(record), now)
    }
  }

  #release(now: number): void {
    this.#leftAt = this.#schedule.turns
    let left = this.#leaving
    for (const host of this.#hosts.loaded) {
      if (left === 0) break
      if (this.#park(host, now)) left--
    }
    this.#schedule.forgetStale()
  }

  /** Parks a host. Returns false if it must stay in memory. */
  #park(host: HostQueue, now: number): boolean {
    if (!host.isAtRest) return false
    const status = host.status(now)
    if (status === 'ready' && host.load.requests < QUANTUM) {
      // It may have got a URL that need not wait for the time until which the host sleeps.
      this.#schedule.rouse(host, now)
      return false
    }
    this.#schedule.remove(host)
    this.#hosts.leave(host)
    if (status === 'exhausted') this.#parked.drop(host.id)
    else {
      const isTimed = status === 'snoozed' || status === 'dormant'
      const as = status === 'dormant' ? 'dormant' : 'awake'
      this.#parked.park(host.id, isTimed ? host.wakeAt : now, as)
    }
    return true
  }
}
