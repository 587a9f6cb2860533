import type { Findings } from '../messages/messages.ts'
import { UrlKey } from '../seen/url-key.ts'
import type { Store } from '../state/store.ts'
import { AliasGuard } from '../traps/alias-guard.ts'
import { AliasStore } from '../traps/alias-store.ts'
import { TrapGuard } from '../traps/trap-guard.ts'
import { Turns } from './deterministic/settle-order.ts'
import { type Lease, Leases } from './in-flight.ts'
import { HostDirectory } from './politeness/host-directory.ts'
import { HostProbes } from './politeness/host-probes.ts'
import type { HostQueue } from './politeness/host-queue.ts'
import type { Manners } from './politeness/politeness.ts'
import { RobotsAsks } from './politeness/robots-asks.ts'
import { DepthTally } from './shortest-path/depth-tally.ts'
import { BorrowedUrls } from './sqlite/borrowed-urls.ts'
import { FailedUrls } from './sqlite/failed-urls.ts'
import { HostStore } from './sqlite/host-store.ts'
import { KeptTimes } from './sqlite/kept-times.ts'
import { OutlinkStore } from './sqlite/outlink-store.ts'
import { ParkedHosts } from './sqlite/parked-hosts.ts'
import { Rereads } from './sqlite/rereads.ts'
import { UrlStore } from './sqlite/url-store.ts'

/** What the frontier knows, in memory and on disk: read and written by its parts. */
export class Books {
  readonly urls: UrlStore
  readonly keys: UrlKey
  readonly outlinks: OutlinkStore
  readonly borrowed: BorrowedUrls
  readonly rereads: Rereads
  readonly failed: FailedUrls
  readonly unfinished = new DepthTally()
  readonly leases: Leases
  readonly hosts: HostDirectory
  readonly parked: ParkedHosts
  readonly robotsAsks: RobotsAsks
  readonly probes = new HostProbes()
  /** Undefined when nothing is taken for a trap. */
  readonly traps: TrapGuard | undefined
  readonly turns: Turns | undefined
  readonly times: KeptTimes
  /** Hosts whose address is being looked up. */
  lookUps = 0

  constructor({ database, hashKey }: Store, manners: Manners) {
    this.urls = new UrlStore(database)
    this.keys = new UrlKey(hashKey)
    this.outlinks = new OutlinkStore(database)
    this.borrowed = new BorrowedUrls(database)
    this.failed = new FailedUrls(database)
    this.rereads = new Rereads(database)
    this.leases = new Leases(this.urls, this.unfinished, this.rereads)
    this.turns = manners.deterministic === true ? new Turns(database) : undefined
    this.times = new KeptTimes(database, manners)
    const { clock } = this.times
    this.parked = new ParkedHosts(database, clock)
    const store = new HostStore(database, clock)
    this.hosts = new HostDirectory(store, this.parked, this.urls, manners, this.turns)
    this.robotsAsks = new RobotsAsks(this.hosts)
    const aliases = () => new AliasGuard(new AliasStore(database), this.keys)
    this.traps = manners.traps === true ? new TrapGuard(manners.trapLimits, aliases()) : undefined
  }

  /** Takes in at which address a host is that was asked for; gives that host. */
  locate(key: string, address: string | undefined): HostQueue | undefined {
    const host = this.hosts.of(key)
    if (host.address !== 'asked') return undefined
    this.lookUps--
    host.address = 'known'
    if (address !== undefined) host.load.budget = this.hosts.budgetAt(address)
    return host
  }

  /** What a page shows tells whether its like are worth a visit. */
  watch({ crawlUrl: { url, depth }, host }: Lease, { reading, discovered }: Findings): void {
    if (reading === undefined) return
    const page = { ...reading, depth, discovered }
    if (this.traps?.visited(url, page, host.key)) host.urls.recall()
  }
}
