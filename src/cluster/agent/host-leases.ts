import { parseStoredJson } from '../../database/validate-stored-values.ts'
import type { LeasedHosts } from '../../frontier/sqlite/leased-hosts.ts'
import { handoverForm, sharedRobotsForm } from '../../frontier/sqlite/stored-rows.ts'
import type { HeldHost, HostShare, LeasedItem, LeaseReply } from '../job-queue.ts'
import { HostLease } from './host-lease.ts'
import { type HostLearning, learnedIn, learnedPast } from './shared-learning.ts'
import { decodeSharedUrl } from './shared-url.ts'
import { SuspendProofClock } from './suspend-proof-clock.ts'

/** Number of URLs of a host to have here at most, and of all hosts together: they take memory. */
const MAX_URLS_OF_HOST = 256
const MAX_URLS = 128_000
/** A host with fewer URLs is done sooner where it is. */
const MIN_WORTH_MOVING = 32

/** A URL of a leased host that is here. */
interface LeasedUrl {
  readonly lease: HostLease
  /** Its id in the shared queue. */
  readonly id: string
  readonly url: string
  readonly via: string | undefined
}

/** Listeners for the URLs that come from the shared queue. */
interface LeasedUrlListeners {
  /** Called with each URL that counts as a seed. */
  readonly onSeed: (url: string) => void
  /** Called with the URLs of a host that were taken together. */
  readonly onTaken: (urls: readonly string[]) => void
}

/** The hosts that this process leases, and their URLs that are here. */
export class HostLeases {
  readonly clock = new SuspendProofClock()
  readonly #hosts: LeasedHosts
  readonly #listeners: LeasedUrlListeners
  readonly #learning: HostLearning | undefined
  readonly #leases = new Map<string, HostLease>()
  /** URLs by their ids in the frontier. */
  readonly #urls = new Map<number, LeasedUrl>()
  /** When the first lease ends; undefined when leases have changed since it was computed. */
  #firstEnd: number | undefined

  /** @param learning goes from process to process with the hosts; undefined without `--render` */
  constructor(hosts: LeasedHosts, listeners: LeasedUrlListeners, learning?: HostLearning) {
    this.#hosts = hosts
    this.#listeners = listeners
    this.#learning = learning
  }

  get size(): number {
    return this.#leases.size
  }

  /** Returns whether this process leases a host. */
  has(host: string): boolean {
    return this.#leases.has(host)
  }

  get all(): readonly HostLease[] {
    return [...this.#leases.values()]
  }

  /** True while no lease can have ended. */
  get areSafe(): boolean {
    return this.clock.now < this.firstEnd
  }

  /** The end of the lease that ends first, in milliseconds of the lease clock; infinite without leases. */
  get firstEnd(): number {
    this.#firstEnd ??= this.#findFirstEnd()
    return this.#firstEnd
  }

  /** Longest time that a host can have to wait, in milliseconds. */
  get longestPause(): number {
    return this.#hosts.longestPause
  }

  /** Returns a URL by its id in the frontier. */
  find(id: number): LeasedUrl | undefined {
    return this.#urls.get(id)
  }

  /** Returns the report on a host for the shared queue; finished URLs are in one report only. */
  report(lease: HostLease, now: number, release: boolean): HeldHost {
    const { host, epoch, unfinished } = lease
    const want = release ? 0 : this.#wantOf(lease)
    const { wait, handover } = this.#hosts.handoverOf(host, now)
    const robots = this.#hosts
      .newRobots(host)
      .map(([origin, known]) => [origin, JSON.stringify(known)])
    return {
      ...{ host, epoch, known: unfinished, want, wait },
      done: lease.takeFinished(),
      past: JSON.stringify({ ...handover, ...learnedPast(this.#learning?.learnedOf(host)) }),
      ...(release && { release }),
      ...(robots.length > 0 && { robots: Object.fromEntries(robots) }),
    }
  }

  /** Returns true if a host has finished URLs to report, or needs more. */
  hasNews(lease: HostLease): boolean {
    return lease.hasFinished || this.#wantOf(lease) > 0
  }

  /** Returns true if this process has nothing left to do for a host. */
  isDone({ host, unfinished, hasMore, isLeaving }: HostLease): boolean {
    if (isLeaving) return !this.#hosts.isInFlight(host)
    return unfinished === 0 && !hasMore && !this.#hosts.isBusy(host)
  }

  /** Releases hosts until at most `share` remain, idle ones first. Small ones stay. */
  shrinkTo(share: number): void {
    const staying = this.all.filter(({ isLeaving }) => !isLeaving)
    const excess = Math.max(0, staying.length - share)
    if (excess === 0) return
    const large = staying.filter(
      ({ hasMore, unfinished }) => hasMore || unfinished >= MIN_WORTH_MOVING,
    )
    const busy = large.filter(({ host }) => this.#hosts.isInFlight(host))
    const idle = large.filter((lease) => !busy.includes(lease))
    for (const lease of [...idle, ...busy].slice(0, excess)) {
      lease.leave()
      this.#hosts.close(lease.host)
    }
  }

  /**
   * Takes in the reply of a partition.
   * @param until end of the leases that it renewed or gave, in milliseconds of the lease clock
   */
  applyReply(partition: number, { lost, hosts }: LeaseReply, until: number, now: number): void {
    for (const host of lost) this.lose(host, now)
    for (const share of hosts) this.#receive(partition, share, until, now)
    this.#firstEnd = undefined
  }

  /** Forgets a host that belongs to another process from now on. */
  lose(host: string, now: number): void {
    if (!this.#leases.delete(host)) return
    this.#firstEnd = undefined
    for (const id of this.#hosts.release(host)) this.#forget(id)
    this.#hosts.place(host, now)
  }

  /** A URL is finished. @param bytes of the body, if it has a record */
  finish(id: number, bytes?: number): void {
    const leased = this.#urls.get(id)
    if (leased === undefined) return
    leased.lease.finish(leased.id, bytes)
    this.#forget(id)
  }

  /** Returns the number of further URLs to ask for. */
  #wantOf({ hasMore, unfinished, isLeaving }: HostLease): number {
    const batch = urlsOfEachHost(this.#leases.size)
    return hasMore && !isLeaving && unfinished < batch / 2 ? batch - unfinished : 0
  }

  #findFirstEnd(): number {
    let end = Number.POSITIVE_INFINITY
    for (const { until } of this.#leases.values()) end = Math.min(end, until)
    return end
  }

  #forget(id: number): void {
    this.#urls.delete(id)
    this.#hosts.forget(id)
  }

  #receive(partition: number, share: HostShare, until: number, now: number): void {
    const { host, epoch, urls, left } = share
    const lease = this.#leaseFor(partition, share, until, now)
    if (lease === undefined || lease.epoch !== epoch) return
    lease.renew(until, left)
    const taken = urls.filter(({ id }) => !lease.has(id)).map((item) => this.#add(lease, item))
    if (taken.length > 0) this.#listeners.onTaken(taken)
    this.#hosts.place(host, now)
  }

  #leaseFor(
    partition: number,
    share: HostShare,
    until: number,
    now: number,
  ): HostLease | undefined {
    const { host, epoch, left, wait = 0, ended: lostFor, past, robots } = share
    // Only a host that was just leased comes with robots.txt.
    if (robots === undefined) return this.#leases.get(host)
    // An earlier lease may have ended unnoticed.
    this.lose(host, now)
    const lease = new HostLease(host, partition, epoch, left, until)
    const known = robots.map(([origin, json]) => {
      return [origin, parseStoredJson(sharedRobotsForm, json, 'robots')] as const
    })
    const kept = past === undefined ? undefined : parseStoredJson(handoverForm, past, 'past')
    const record = kept && { ...kept, failure: kept.failure, witness: kept.witness }
    const learned = past === undefined ? undefined : learnedIn(past)
    if (learned !== undefined) this.#learning?.adopt(host, learned)
    this.#hosts.acquire(host, { wait, lostFor }, record, known, now)
    this.#leases.set(host, lease)
    return lease
  }

  /**
   * Adds a URL, and returns it. One that is still in flight since an earlier lease is not added: the next exchange
   * offers it again.
   */
  #add(lease: HostLease, { id, depth, attempts, text }: LeasedItem): string {
    const { url, via, isSeed, ...standing } = decodeSharedUrl(text, lease.host)
    if (isSeed) this.#listeners.onSeed(url)
    const local = this.#hosts.add(url, lease.host, { ...standing, depth, via: null }, attempts)
    if (local !== undefined) {
      lease.add(id)
      this.#urls.set(local, { lease, id, url, via })
    }
    return url
  }
}

/** Returns the number of URLs to have of each of some hosts. */
export function urlsOfEachHost(hosts: number): number {
  return Math.min(MAX_URLS_OF_HOST, Math.ceil(MAX_URLS / hosts))
}
