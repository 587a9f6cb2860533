import type { DatabaseSync } from 'node:sqlite'
import { levelOf } from '../../records/crawl-url.ts'
import type { FrontierParts } from '../frontier-parts.ts'
import { JobUrls } from '../storage/job-urls.ts'
import type { HealthRecord, HostRecord, KnownRobots } from '../storage/stored-host.ts'
import type { UrlPlace } from '../storage/stored-url.ts'
import type { ClockCorrection } from './clock-correction.ts'

/** The state of a host that one process hands over to the next. */
interface HostHandover extends HealthRecord, Pick<HostRecord, 'pause' | 'answeredUrl'> {
  /** Milliseconds since the host went away. */
  readonly awayFor?: number | undefined
}

/** The wait before a host that was taken over may be requested. */
interface TakeoverWait {
  /** Milliseconds until the host may be requested, by the last report of its previous process. */
  readonly wait: number
  /**
   * Milliseconds since the previous process lost the host without a report. It may have sent requests until then.
   * Undefined if it returned the host.
   */
  readonly lostFor?: number | undefined
}

/** The hosts that are leased to this process, with their URLs. All other hosts belong to other processes. */
export class LeasedHosts {
  readonly #jobUrls: JobUrls
  readonly #times: ClockCorrection
  readonly #parts: FrontierParts

  constructor(database: DatabaseSync, times: ClockCorrection, parts: FrontierParts) {
    this.#jobUrls = new JobUrls(database)
    this.#times = times
    this.#parts = parts
  }

  /** The longest pause that a host may get, in milliseconds. */
  get longestPause(): number {
    return this.#times.longestPause
  }

  /**
   * Takes a host over from another process, or for the first time.
   * @param robots known robots.txt files of the host, valid until times in milliseconds since 1970
   */
  acquire(
    key: string,
    { wait, lostFor }: TakeoverWait,
    handover: (HostHandover & Pick<HostRecord, 'pages'>) | undefined,
    robots: Iterable<readonly [origin: string, known: KnownRobots]>,
    now: number,
  ): void {
    const host = this.#parts.hosts.load(key)
    host.reopen()
    const times = this.#times
    const known = [...robots].map(([origin, each]) => [origin, times.robotsOf(each, now)] as const)
    host.robots.learn(known)
    host.load.pauseUntil(times.pauseEnd(wait, now))
    if (handover !== undefined) {
      host.load.resume(handover)
      host.health.resume(handover)
      const { answeredUrl, awayFor } = handover
      const awaySince = awayFor === undefined ? undefined : now - awayFor
      host.availability.resume({ answeredUrl, awaySince })
    }
    if (lostFor === undefined) return
    this.#parts.schedule.expedite(host)
    const pause = Math.max(host.load.delay, host.robots.crawlDelay)
    host.load.pauseUntil(times.pauseEnd(pause - lostFor, now))
  }

  /** Adds a URL of a leased host. Returns its id; undefined if it was added before. */
  add(url: string, key: string, place: UrlPlace): number | undefined {
    const { hosts, tables, unfinished } = this.#parts
    const host = hosts.load(key)
    const id = tables.urls.insert(tables.keyOf(url), url, host.id, place)
    if (id === undefined) return undefined
    unfinished.add(place.depth)
    host.urls.joined(levelOf(place))
    return id
  }

  /** Schedules a host. Must be called after URLs were added. */
  place(key: string, now: number): void {
    this.#parts.schedule.place(this.#parts.hosts.load(key), now)
  }

  /** Releases a host to other processes. Returns the ids of its waiting URLs, which are removed. */
  release(key: string): number[] {
    const { hosts, inFlight, unfinished } = this.#parts
    const host = hosts.load(key)
    inFlight.retryNow(host)
    host.availability.held.release()
    inFlight.lose(host)
    const waiting = this.#jobUrls.removeWaiting(host.id)
    for (const { depth } of waiting) unfinished.remove(depth)
    host.urls.clear()
    return waiting.map(({ id }) => id)
  }

  /** Forgets a URL that is finished. */
  forget(id: number): void {
    this.#parts.tables.outlinks.remove(id)
    this.#jobUrls.remove(id)
  }

  /** Hands out no more URLs of a host until it is acquired again. */
  close(key: string): void {
    this.#parts.hosts.load(key).close()
  }

  /** Returns whether requests to a host are in flight or due, or its failures are held: see `HostQueue`. */
  hasOpenRequests(key: string): boolean {
    return this.#parts.hosts.load(key).hasOpenRequests
  }

  /** Returns whether a host has open requests, or URLs that are not settled or wait for another attempt. */
  hasUnfinishedWork(key: string): boolean {
    return this.#parts.hosts.load(key).hasUnfinishedWork
  }

  /** Returns the state of a host to hand over, and for how long it must not be requested. */
  handoverOf(key: string, now: number): { readonly wait: number; readonly handover: HostHandover } {
    const { load, health, availability } = this.#parts.hosts.load(key)
    const { notBefore, pause } = load.record
    const until = Math.max(notBefore, load.atAddress.notBefore)
    const { answeredUrl, awaySince } = availability.record
    const awayFor = awaySince === undefined ? undefined : Math.round(now - awaySince)
    const handover = { pause, ...health.record, answeredUrl, awayFor }
    return { wait: Math.max(0, Math.ceil(until - now)), handover }
  }

  /** Returns the robots.txt files that are new since the last call, valid until times in milliseconds since 1970. */
  newRobots(key: string): [origin: string, known: KnownRobots][] {
    this.#times.follow()
    const { robots } = this.#parts.hosts.load(key)
    return robots.takeUnsaved().map(([origin, { answer, until }]) => {
      return [origin, { answer, until: this.#times.clock.toEpoch(until) }]
    })
  }
}
