import { NumericUrlHash } from '../../hashing/numeric-url-hash.ts'
import type { WallClock } from '../../runtime/wall-clock.ts'
import type { CrawlStorage } from '../../state/crawl-storage.ts'
import { AliasStore } from './alias-store.ts'
import { DomainStore } from './domain-store.ts'
import { HostStore } from './host-store.ts'
import { OutlinkStore } from './outlink-store.ts'
import { ParkedHosts } from './parked-hosts.ts'
import { ReadyUrlOrder } from './ready-url-order.ts'
import { Rereads } from './rereads.ts'
import { UrlStore } from './url-store.ts'

interface TableOptions {
  readonly maxPerDomain?: number | undefined
  readonly deterministic?: boolean
}

/** The tables of a frontier, in SQLite. */
export class FrontierTables {
  readonly urls: UrlStore
  readonly hosts: HostStore
  readonly parked: ParkedHosts
  /** Set with `--max-per-domain`. */
  readonly domains: DomainStore | undefined
  readonly outlinks: OutlinkStore
  readonly rereads: Rereads
  readonly aliases: AliasStore
  /** Set with `--deterministic`. */
  readonly ordered: ReadyUrlOrder | undefined
  readonly #keys: NumericUrlHash

  constructor({ database, hashKey }: CrawlStorage, options: TableOptions, clock: WallClock) {
    this.#keys = new NumericUrlHash(hashKey)
    this.urls = new UrlStore(database)
    this.hosts = new HostStore(database, clock)
    this.parked = new ParkedHosts(database, clock)
    this.domains = options.maxPerDomain === undefined ? undefined : new DomainStore(database)
    this.outlinks = new OutlinkStore(database)
    this.rereads = new Rereads(database)
    this.aliases = new AliasStore(database)
    this.ordered = options.deterministic === true ? new ReadyUrlOrder(database) : undefined
  }

  /** Returns the key by which `urls` finds a URL. */
  keyOf(url: string): number {
    return this.#keys.of(url)
  }
}
