import { parseStoredJson } from '../../database/validate-stored-values.ts'
import type { LeasedHosts } from '../../frontier/sqlite/leased-hosts.ts'
import { handoverSchema, sharedRobotsSchema } from '../../frontier/storage/stored-rows.ts'
import type { HandedOutUrl, LeasedHostUrls, LeaseReply, LeaseReport } from '../job-queue.ts'
import { HostLease } from './host-lease.ts'
import { type HostLearning, learnedIn, learnedPast } from './shared-learning.ts'
import { decodeSharedUrl } from './shared-url.ts'
import { SuspendProofClock } from './suspend-proof-clock.ts'

/** Maximum number of a host's URLs in this process. */
const MAX_URLS_OF_HOST = 256
/** Maximum number of URLs of all hosts in this process. They take memory. */
const MAX_URLS = 128_000
/**
 * Minimum number of URLs of a host that is given to another process. With fewer, this process finishes the host sooner.
 */
const MIN_WORTH_MOVING = 32

/** A URL of a leased host that was handed out to this process. */
interface LeasedUrl {
  readonly lease: HostLease
  /** Id in the shared queue. */
  readonly id: string
  readonly url: string
  readonly via: string | undefined
  /** Number of times that it was handed out before and lost. */
  readonly attempts: number
}

/** Listeners for the URLs that come from the shared queue. */
interface LeasedUrlListeners {
  /** Called with each URL that counts as a seed. */
  readonly onSeed: (url: string) => void
  /** Called with the URLs of a host that were taken together. */
  readonly onTaken: (urls: readonly string[]) => void
}

/** The hosts that this process leases, and the URLs of them that were handed out to it. */
export class HostLeases {
  readonly clock = new SuspendProofClock()
  readonly #hosts: LeasedHosts
  readonly #listeners: LeasedUrlListeners
  readonly #learning: HostLearning | undefined
  readonly #leases = new Map<string, HostLease>()
  /** URLs by their ids in the frontier. */
  readonly #urls = new Map<number, LeasedUrl>()
  /** Time at which the first lease expires; undefined if leases have changed since it was computed. */
  #firstEnd: number | undefined

  /** @param learning templates that are handed over with a host; undefined without `--render` */
  constructor(
    hosts: LeasedHosts,
    listeners: LeasedUrlListeners,
    learning: HostLearning | undefined,
  ) {
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

  /** True if no lease can have expired yet. */
  get areSafe(): boolean {
    return this.clock.now < this.firstEnd
  }

  /** Time at which the first lease expires, in milliseconds of the lease clock; infinite without leases. */
  get firstEnd(): number {
    this.#firstEnd ??= this.#findFirstEnd()
    return this.#firstEnd
  }

  /** Longest possible wait of a host, in milliseconds. */
  get longestPause(): number {
    return this.#hosts.longestPause
  }

  /** Returns a URL by its id in the frontier. */
  find(id: number): LeasedUrl | undefined {
    return this.#urls.get(id)
  }

  /** Returns the report on a host for the shared queue. A finished URL is in one report only. */
  report(lease: HostLease, now: number, release: boolean): LeaseReport {
    const { host, epoch, pages, unfinished } = lease
    const want = release ? 0 : this.#wantOf(lease)
    const { wait, handover } = this.#hosts.handoverOf(host, now)
    const robots = this.#hosts
      .newRobots(host)
      .map(([origin, known]) => [origin, JSON.stringify(known)])
    return {
      ...{ host, epoch, unfinished, want, wait },
      done: lease.takeFinished(),
      past: JSON.stringify({ ...handover, pages, ...learnedPast(this.#learning?.learnedOf(host)) }),
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
    if (isLeaving) return !this.#hosts.hasOpenRequests(host)
    return unfinished === 0 && !hasMore && !this.#hosts.hasUnfinishedWork(host)
  }

  /** Starts to release hosts until at most `share` remain, idle ones first. Keeps hosts with few URLs. */
  shrinkTo(share: number): void {
    const staying = this.all.filter(({ isLeaving }) => !isLeaving)
    const excess = Math.max(0, staying.length - share)
    if (excess === 0) return
    const large = staying.filter(
      ({ hasMore, unfinished }) => hasMore || unfinished >= MIN_WORTH_MOVING,
    )
    const busy = large.filter(({ host }) => this.#hosts.hasOpenRequests(host))
    const idle = large.filter((lease) => !busy.includes(lease))
    for (const lease of [...idle, ...busy].slice(0, excess)) {
      lease.leave()
      this.#hosts.close(lease.host)
    }
  }

  /**
   * Applies the reply of a partition.
   * @param until end of the leases that the reply renewed or granted, in milliseconds of the lease clock
   */
  applyReply(partition: number, { lost, hosts }: LeaseReply, until: number, now: number): void {
    for (const host of lost) this.lose(host, now)
    for (const hostUrls of hosts) this.#receive(partition, hostUrls, until, now)
    this.#firstEnd = undefined
  }

  /** Removes a host that this process no longer leases. */
  lose(host: string, now: number): void {
    if (!this.#leases.delete(host)) return
    this.#firstEnd = undefined
    for (const id of this.#hosts.release(host)) this.#forget(id)
    this.#hosts.place(host, now)
  }

  /**
   * Marks a URL as finished.
   * @param bytes of the body, if it has a record
   */
  finish(id: number, bytes?: number): void {
    const leased = this.#urls.get(id)
    if (leased === undefined) return
    leased.lease.finish(leased.id, bytes)
    this.#forget(id)
  }

  /** Returns the number of further URLs to request. */
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

  #receive(partition: number, hostUrls: LeasedHostUrls, until: number, now: number): void {
    const { host, epoch, urls, hasMore } = hostUrls
    const lease = this.#leaseFor(partition, hostUrls, until, now)
    if (lease === undefined || lease.epoch !== epoch) return
    lease.renew(until, hasMore)
    const taken = urls.filter(({ id }) => !lease.has(id)).map((url) => this.#add(lease, url))
    if (taken.length > 0) this.#listeners.onTaken(taken)
    this.#hosts.place(host, now)
  }

  #leaseFor(
    partition: number,
    hostUrls: LeasedHostUrls,
    until: number,
    now: number,
  ): HostLease | undefined {
    const { host, epoch, hasMore, wait = 0, lostFor, past, robots } = hostUrls
    // A reply has `robots` only for a host that was just leased.
    if (robots === undefined) return this.#leases.get(host)
    // An earlier lease of the host may have expired unnoticed.
    this.lose(host, now)
    const known = robots.map(([origin, json]) => {
      return [origin, parseStoredJson(sharedRobotsSchema, json, 'robots')] as const
    })
    const kept = past === undefined ? undefined : parseStoredJson(handoverSchema, past, 'past')
    const record = kept && { ...kept, failure: kept.failure, answeredUrl: kept.answeredUrl }
    const { pages = 0 } = record ?? {}
    const lease = new HostLease({ host, partition, epoch, hasMore, until, pages })
    const learned = past === undefined ? undefined : learnedIn(past)
    if (learned !== undefined) this.#learning?.adopt(host, learned)
    this.#hosts.acquire(host, { wait, lostFor }, record, known, now)
    this.#leases.set(host, lease)
    return lease
  }

  /**
   * Adds a URL, and returns it. A URL that is still in flight from an earlier lease is not added now: the next exchange
   * hands it out again.
   */
  #add(lease: HostLease, { id, depth, attempts, text }: HandedOutUrl): string {
    const { url, via, isSeed, ...standing } = decodeSharedUrl(text, lease.host)
    if (isSeed) this.#listeners.onSeed(url)
    const local = this.#hosts.add(url, lease.host, { ...standing, depth, via: null })
    if (local !== undefined) {
      lease.add(id)
      this.#urls.set(local, { lease, id, url, via, attempts })
    }
    return url
  }
}

/** Returns the number of URLs to take of each host if this process leases `hosts` hosts. */
export function urlsOfEachHost(hosts: number): number {
  return Math.min(MAX_URLS_OF_HOST, Math.ceil(MAX_URLS / hosts))
}
