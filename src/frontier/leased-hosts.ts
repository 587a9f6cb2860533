import { levelOf } from '../records/crawl-url.ts'
import type { Books } from './frontier-tables.ts'
import type { HealthRecord } from './politeness/host-health.ts'
import type { HostSchedule } from './politeness/host-schedule.ts'
import type { HostRecord, KnownRobots } from './sqlite/host-store.ts'
import type { Place } from './sqlite/stored-url.ts'

/** What goes with a host from process to process. */
export interface HostPast extends HealthRecord, Pick<HostRecord, 'pause' | 'pages' | 'witness'> {
  /** Milliseconds since when it has been away. */
  readonly awayFor?: number | undefined
}

/** What robots.txt of an origin says, and until when that holds, in milliseconds since 1970. */
export type SharedRobots = KnownRobots

/** Hosts that this process works on for a time, and their URLs: all others are somebody else's. */
export class Tenants {
  readonly #books: Books
  readonly #schedule: HostSchedule

  constructor(books: Books, schedule: HostSchedule) {
    this.#books = books
    this.#schedule = schedule
  }

  /** Milliseconds that a host may have to be left alone for at most. */
  get longestPause(): number {
    return this.#books.times.longestPause
  }

  /**
   * A host comes from another process, or for the first time.
   * @param wait milliseconds in which it must not be asked
   */
  moveIn(
    key: string,
    wait: number,
    past: HostPast | undefined,
    robots: Iterable<readonly [origin: string, known: SharedRobots]>,
    now: number,
  ): void {
    const host = this.#books.hosts.of(key)
    host.isLeaving = false
    const { times } = this.#books
    const known = [...robots].map(([origin, told]) => [origin, times.robotsOf(told, now)] as const)
    host.robots.learn(known)
    host.load.setAside(times.pauseEnd(wait, now))
    if (past === undefined) return
    host.load.resume(past)
    host.health.resume(past)
    const { witness, awayFor } = past
    const awaySince = awayFor === undefined ? undefined : now - awayFor
    host.availability.resume({ witness, awaySince })
  }

  /** A URL of a host that lives here; gives its id, or undefined where it is here already. */
  add(url: string, key: string, place: Place, attempts: number): number | undefined {
    const { borrowed, hosts, keys, unfinished, urls } = this.#books
    const host = hosts.of(key)
    const hash = keys.of(url)
    if (!urls.insert(hash, url, host.id, place)) return undefined
    const id = urls.find(hash, url)?.id
    if (id === undefined) return undefined
    if (attempts > 0) borrowed.setAttempts(id, attempts)
    unfinished.add(place.depth)
    host.urls.joined(levelOf(place))
    return id
  }

  /** To be called when URLs were added. */
  place(key: string, now: number): void {
    this.#schedule.place(this.#books.hosts.of(key), now)
  }

  /** The host is another process's from now on: gives the ids of the URLs that waited. */
  moveOut(key: string): number[] {
    const { borrowed, hosts, leases, unfinished } = this.#books
    const host = hosts.of(key)
    leases.recall(host)
    host.availability.held.release()
    leases.lose(host)
    const waiting = borrowed.removeWaiting(host.id)
    for (const { depth } of waiting) unfinished.remove(depth)
    host.urls.clear()
    return waiting.map(({ id }) => id)
  }

  /** Nobody has to know the URL here any more. */
  forget(id: number): void {
    this.#books.outlinks.remove(id)
    this.#books.borrowed.remove(id)
  }

  /** Hands out nothing more of a host, until it moves in again. */
  close(key: string): void {
    this.#books.hosts.of(key).isLeaving = true
  }

  /** Whether requests to a host are under way, for robots.txt too. */
  isInFlight(key: string): boolean {
    return this.#books.hosts.of(key).isInFlight
  }

  /** The same, or whether URLs wait for another attempt. */
  isBusy(key: string): boolean {
    return this.#books.hosts.of(key).isBusy
  }

  /** What the next process has to know of a host. */
  pastOf(key: string, now: number): { readonly wait: number; readonly past: HostPast } {
    const { load, health, availability } = this.#books.hosts.of(key)
    const { notBefore, pause, pages } = load.record
    const until = Math.max(notBefore, load.budget.notBefore)
    const { witness, awaySince } = availability.record
    const awayFor = awaySince === undefined ? undefined : Math.round(now - awaySince)
    const past = { pause, pages, ...health.record, witness, awayFor }
    return { wait: Math.max(0, Math.ceil(until - now)), past }
  }

  /** Answers of a host's origins that nobody was told yet. */
  newRobots(key: string): [origin: string, known: SharedRobots][] {
    const { hosts, times } = this.#books
    times.follow()
    return hosts
      .of(key)
      .robots.takeUnsaved()
      .map(([origin, { answer, until }]) => {
        return [origin, { answer, until: times.clock.toEpoch(until) }]
      })
  }
}
