import type { SeedHosts } from '../../fetch/addresses/seed-hosts.ts'
import type { Logger } from '../../logger.ts'
import type { CrawlRates } from './rate-exchange.ts'

/** The hosts in the scope of a crawl. */
interface GrowingScope {
  /** Number of hosts that joined the scope. */
  readonly joined: number
  /** Returns URLs of the hosts that joined, except for the first `first` ones. */
  joinedAfter(first: number): readonly string[]
  /** Adds the host of a URL that counts as a seed. Returns true if the host was outside the scope, and is in it now. */
  admit(url: string): boolean
  /** Adds the host of a URL to the scope. Returns false if another rule excludes the URL. */
  widen(url: string): boolean
}

/** The totals of a crawl. */
interface CrawlTotals {
  /** Counts URLs that the shared seen set already contained. */
  addKnown(urls: number): void
}

/** The parts of this process's crawl that its agent uses. */
export interface LocalCrawl {
  /** Milliseconds without a sign of life after which other processes take over the hosts of this one. */
  readonly lease: number
  readonly logger: Logger
  readonly totals: CrawlTotals
  readonly scope: GrowingScope
  readonly seedHosts: Pick<SeedHosts, 'addReported' | 'reportAgain' | 'takeFindings'>
  /** The rates that all processes of the job share. */
  readonly rates: CrawlRates
  /** Makes all records and all lines about skipped URLs so far durable. */
  sync(): Promise<unknown>
  /** Hands out URLs, or ends the crawl. */
  pump(): void
  /** Ends the crawl, because the job was stopped. */
  stop(): void
  /** Makes workers report all links of the pages that follow, also those that they have reported before. */
  reportLinksAgain(): void
  /** Informs the workers of a host that another process added to the scope. */
  announceHost(url: string): void
}
