import { storedJson } from '../../database/stored-value.ts'
import type { LeasedHosts } from '../../frontier/sqlite/leased-hosts.ts'
import { handoverForm, sharedRobotsForm } from '../../frontier/sqlite/stored-rows.ts'
import type { HeldHost, HostShare, LeaseReply, OutUrl } from '../redis/exchange.ts'
import { HostLease, type LeasedUrl } from './host-lease.ts'
import { LeaseClock } from './lease-clock.ts'
import { decodeQueuedUrl } from './queued-url.ts'

/** URLs of a host that are here at a time. */
const BATCH = 256
/** With fewer URLs a host is done sooner where it is. */
const WORTH_MOVING = 32

/** The hosts that this process holds, and their URLs that are here. */
export class HostLeases {
  /** Leases are measured by it. */
  readonly clock = new LeaseClock()
  readonly #tenants: LeasedHosts
  readonly #joinSeeds: (url: string) => void
  readonly #tenancies = new Map<string, HostLease>()
  readonly #claims = new Map<number, LeasedUrl>()

  /** @param joinSeeds told of URLs that count as seeds */
  constructor(tenants: LeasedHosts, joinSeeds: (url: string) => void) {
    this.#tenants = tenants
    this.#joinSeeds = joinSeeds
  }

  get size(): number {
    return this.#tenancies.size
  }

  get all(): readonly HostLease[] {
    return [...this.#tenancies.values()]
  }

  /** Whether all leases are sure to hold. */
  get areSafe(): boolean {
    let least = Number.POSITIVE_INFINITY
    for (const { until } of this.#tenancies.values()) least = Math.min(least, until)
    return this.clock.now < least
  }

  /** Milliseconds that a host may have to be left alone for at most. */
  get longestPause(): number {
    return this.#tenants.longestPause
  }

  /** A URL that is here, by its id here. */
  find(id: number): LeasedUrl | undefined {
    return this.#claims.get(id)
  }

  /** What there is to tell of a host; it is told once. */
  report(tenancy: HostLease, now: number, release: boolean): HeldHost {
    const { host, epoch, done, urls } = tenancy
    tenancy.done = []
    const want = release ? 0 : wantOf(tenancy)
    const { wait, handover } = this.#tenants.handoverOf(host, now)
    const robots = this.#tenants
      .newRobots(host)
      .map(([origin, known]) => [origin, JSON.stringify(known)])
    return {
      ...{ host, epoch, done, known: urls.size, want, wait, past: JSON.stringify(handover) },
      ...(release && { release }),
      ...(robots.length > 0 && { robots: Object.fromEntries(robots) }),
    }
  }

  /** Whether there is something to tell or to ask of a host. */
  hasNews(tenancy: HostLease): boolean {
    return tenancy.done.length > 0 || wantOf(tenancy) > 0
  }

  /** Whether nothing of a host is left to do here. */
  isDone({ host, urls, hasMore, isLeaving }: HostLease): boolean {
    if (isLeaving) return !this.#tenants.isInFlight(host)
    return urls.size === 0 && !hasMore && !this.#tenants.isBusy(host)
  }

  /** Lets hosts go, so many that at most `share` remain: those first of which nothing is in flight. */
  shrinkTo(share: number): void {
    const staying = this.all.filter(({ isLeaving }) => !isLeaving)
    const excess = Math.max(0, staying.length - share)
    if (excess === 0) return
    const worth = staying.filter(({ hasMore, urls }) => hasMore || urls.size >= WORTH_MOVING)
    const [busy, idle] = [true, false].map((is) =>
      worth.filter(({ host }) => this.#tenants.isInFlight(host) === is),
    )
    for (const tenancy of [...(idle ?? []), ...(busy ?? [])].slice(0, excess)) {
      tenancy.isLeaving = true
      this.#tenants.close(tenancy.host)
    }
  }

  /** Takes in what a partition answered. @param until the leases hold so long */
  applyReply(partition: number, { lost, hosts }: LeaseReply, until: number, now: number): void {
    for (const host of lost) this.lose(host, now)
    for (const share of hosts) this.#receive(partition, share, until, now)
  }

  /** A host is somebody else's from now on. */
  lose(host: string, now: number): void {
    if (!this.#tenancies.delete(host)) return
    for (const id of this.#tenants.release(host)) this.#forget(id)
    this.#tenants.place(host, now)
  }

  /** A URL is finished. */
  finish(id: number): void {
    const claim = this.#claims.get(id)
    if (claim === undefined) return
    claim.lease.urls.delete(claim.id)
    claim.lease.done.push(claim.id)
    this.#forget(id)
  }

  #forget(id: number): void {
    this.#claims.delete(id)
    this.#tenants.forget(id)
  }

  #receive(partition: number, share: HostShare, until: number, now: number): void {
    const { host, epoch, urls, left } = share
    const tenancy = this.#tenancyOf(partition, share, until, now)
    if (tenancy === undefined || tenancy.epoch !== epoch) return
    tenancy.until = until
    tenancy.hasMore = left
    const done = new Set(tenancy.done)
    for (const each of urls) {
      if (!tenancy.urls.has(each.id) && !done.has(each.id)) this.#admit(tenancy, each)
    }
    this.#tenants.place(host, now)
  }

  #tenancyOf(
    partition: number,
    share: HostShare,
    until: number,
    now: number,
  ): HostLease | undefined {
    const { host, epoch, left, wait, past, robots } = share
    // Only a host that was taken comes with its past.
    if (robots === undefined) return this.#tenancies.get(host)
    // Its lease ended, and it was taken again before anybody knew.
    this.lose(host, now)
    const tenancy = new HostLease(host, partition, epoch, left, until)
    const known = robots.map(([origin, json]) => {
      return [origin, storedJson(sharedRobotsForm, json, 'robots')] as const
    })
    const kept = past === undefined ? undefined : storedJson(handoverForm, past, 'past')
    const record = kept && { ...kept, failure: kept.failure, witness: kept.witness }
    this.#tenants.acquire(host, wait ?? 0, record, known, now)
    this.#tenancies.set(host, tenancy)
    return tenancy
  }

  /** What is here already, in flight since an earlier lease, is offered again by the next exchange. */
  #admit(tenancy: HostLease, { id, depth, attempts, text }: OutUrl): void {
    const { url, via, isSeed, ...standing } = decodeQueuedUrl(text, tenancy.host)
    if (isSeed) this.#joinSeeds(url)
    const here = this.#tenants.add(url, tenancy.host, { ...standing, depth, via: null }, attempts)
    if (here === undefined) return
    tenancy.urls.set(id, here)
    this.#claims.set(here, { lease: tenancy, id, url, via })
  }
}

/** Further URLs of a host that are worth asking for. */
function wantOf({ hasMore, urls, isLeaving }: HostLease): number {
  return hasMore && !isLeaving && urls.size < BATCH / 2 ? BATCH - urls.size : 0
}
