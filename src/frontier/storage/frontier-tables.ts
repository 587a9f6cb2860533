import type { SameDepthUrls } from '../../messages/messages.ts'
import type { Hop } from '../../records/crawl-url.ts'
import type { AliasTable } from '../../traps/url-alias-evidence.ts'
import type { DomainTable } from './domain-table.ts'
import type { HostTable, ParkedHostTable } from './host-table.ts'
import type { KnownUrlTable, RereadTable } from './known-url-table.ts'

/** URLs that a visited page leads to. */
export interface StoredOutlinks {
  readonly links: readonly string[]
  readonly sameDepth: readonly SameDepthUrls[]
}

/** The table of outlinks of pages to which a shorter path may still be found. */
export interface OutlinkTable {
  /** Stores the outlinks of a page; `links` are packed by `packLinks`. */
  put(
    page: number,
    depth: number,
    links: string | undefined,
    sameDepth: readonly SameDepthUrls[],
  ): void
  /** Returns the outlinks of a page; none when they are not stored. */
  get(page: number): StoredOutlinks
  /** Deletes the outlinks of pages at this depth and at smaller depths. */
  dropUpTo(depth: number): void
}

/** The properties of a ready URL that the deterministic order needs. */
export interface OrderedUrl {
  readonly id: number
  readonly depth: number
  readonly sameDepthHops: number
  readonly hop: Hop
  /** Key of its host. */
  readonly host: string
}

/** All ready URLs of all hosts, ordered by depth, by hops at the same depth and then by discovery. */
export interface OrderedUrlTable {
  /** Returns the first ready URL; undefined if there is none. */
  first(): OrderedUrl | undefined
  /** Returns the next ready URLs with the same depth and the same number of hops at that depth. */
  after(url: Pick<OrderedUrl, 'depth' | 'sameDepthHops' | 'id'>, limit: number): OrderedUrl[]
}

/** The tables of one frontier. */
export interface FrontierTables {
  readonly urls: KnownUrlTable
  readonly hosts: HostTable
  readonly parked: ParkedHostTable
  /** Present with `--max-per-domain`. */
  readonly domains: DomainTable | undefined
  readonly outlinks: OutlinkTable
  readonly rereads: RereadTable
  readonly aliases: AliasTable
  /** Present with `--deterministic`. */
  readonly ordered: OrderedUrlTable | undefined
  /** Returns the key by which `urls` finds a URL. */
  keyOf(url: string): number
}
