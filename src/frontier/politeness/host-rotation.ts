import type { Books } from '../frontier-tables.ts'
import type { ParkedHosts } from '../sqlite/parked-hosts.ts'
import type { HostDirectory } from './host-directory.ts'
import type { HostQueue } from './host-queue.ts'
import type { HostSchedule } from './host-schedule.ts'

/** Requests that a host which is ready may make before another takes its place. */
const QUANTUM = 8
/** Share of all places whose hosts leave at a time: to look through all is dear. */
const LEAVING = 1 / 8
/** Hosts that come at a time. */
const COMING = 256
/** Milliseconds after which it is tried again when none could leave. */
const PATIENCE_MS = 100

/**
 * Which hosts are in memory: as long as there is room, all that have something to do. When there
 * isn't, those that wait for their time, or had a few turns, leave it, and those come that are due the
 * longest. So each host has its turn, whatever their number, and manners are kept: what a host is
 * waiting for is kept with it.
 */
export class HostRotation {
  readonly #directory: HostDirectory
  readonly #parked: ParkedHosts
  readonly #schedule: HostSchedule
  /** Whether hosts come by their time; otherwise they are called. */
  readonly #isByTime: boolean
  /** Hosts that leave at a time, and turns that are taken until the next do. */
  readonly #leaving: number
  #leftAt = 0
  #tryAt = 0

  constructor({ hosts, parked, turns }: Books, schedule: HostSchedule) {
    this.#directory = hosts
    this.#parked = parked
    this.#schedule = schedule
    this.#isByTime = turns === undefined
    this.#leaving = Math.ceil(hosts.places * LEAVING)
  }

  /** Milliseconds of the monotonic clock when a host may be ready; infinite when none waits. */
  get wakeAt(): number {
    const placed = this.#schedule.wakeAt ?? Infinity
    return this.#isByTime ? Math.min(placed, Math.max(this.#parked.firstAt, this.#tryAt)) : placed
  }

  /** To be called before each turn. */
  turn(now: number): void {
    if (!this.#isByTime) {
      if (this.#directory.room < -this.#leaving) this.#release(now)
    } else if (this.#parked.firstAt <= now) this.#exchange(now)
  }

  /** Lets go of hosts that nobody waits for alone, some at a time; false when there are others, or none. */
  giveUpDormant(now: number): boolean {
    if (this.#schedule.hasAwake || (this.#isByTime && this.#parked.awake > 0)) return false
    const parked = this.#parked.takeDormant(COMING)
    const hosts = [
      ...this.#schedule.dormant,
      ...parked.map((each) => this.#directory.activate(each)),
    ]
    for (const host of hosts) {
      host.robots.giveUp(now)
      this.#schedule.rouse(host, now)
      this.#schedule.place(host, now)
    }
    return hosts.length > 0
  }

  #exchange(now: number): void {
    if (this.#directory.room <= 0) {
      const isIdle = !this.#schedule.hasReady
      if (isIdle ? now < this.#tryAt : this.#schedule.turns - this.#leftAt < this.#leaving) return
      this.#release(now)
      if (this.#directory.room <= 0 && !isIdle) return
    }
    let room = this.#directory.room
    if (room <= 0) {
      // All in memory wait for something that keeps them there: others have to come, or nothing goes on.
      this.#tryAt = now + PATIENCE_MS
      room = COMING
    }
    for (const record of this.#parked.takeDue(now, Math.min(room, COMING))) {
      this.#schedule.place(this.#directory.activate(record), now)
    }
  }

  #release(now: number): void {
    this.#leftAt = this.#schedule.turns
    let left = this.#leaving
    for (const host of this.#directory.active) {
      if (left === 0) break
      if (this.#park(host, now)) left--
    }
    this.#schedule.forgetStale()
  }

  /** False when the host has to stay. */
  #park(host: HostQueue, now: number): boolean {
    if (!host.isAtRest) return false
    const status = host.status(now)
    if (status === 'ready' && host.load.turns < QUANTUM) return false
    this.#schedule.remove(host)
    this.#directory.leave(host)
    if (status === 'exhausted') this.#parked.drop(host.id)
    else {
      const isTimed = status === 'snoozed' || status === 'dormant'
      const as = status === 'dormant' ? 'dormant' : 'awake'
      this.#parked.park(host.id, isTimed ? host.wakeAt : now, as)
    }
    return true
  }
}
