import type { SeedHostFinding } from '../../fetch/addresses/seed-hosts.ts'
import type { Logger } from '../../logger.ts'
import type { CrawlRates } from './rate-exchange.ts'

/** The hosts in the scope of a crawl. */
interface GrowingScope {
  /** Number of hosts that joined the scope. */
  readonly joined: number
  /** Returns URLs of the hosts that joined, but for the first few. */
  joinedAfter(first: number): readonly string[]
  /** Takes the host of a URL into the scope. */
  widen(url: string): boolean
}

/** Findings about the hosts of seeds. */
interface SeedHostFindings {
  /** Returns the findings since the last call. */
  takeFindings(): SeedHostFinding[]
  /** Takes over a finding of another process. */
  keep(finding: SeedHostFinding): void
  /** Makes `takeFindings` return all findings again. */
  reportAgain(): void
}

/** The totals of a crawl. */
interface CrawlTotals {
  /** Counts URLs that the shared seen set knew. */
  addKnown(urls: number): void
}

/** The crawl of this process, as far as its agent needs it. */
export interface LocalCrawl {
  /** Milliseconds after which other processes may take the hosts of this one, when it falls silent. */
  readonly lease: number
  readonly logger: Logger
  readonly totals: CrawlTotals
  readonly scope: GrowingScope
  readonly seedHosts: SeedHostFindings
  /** The rates that all processes of the job share. */
  readonly rates: CrawlRates
  /** Makes all records and all lines about skipped URLs so far durable. */
  sync(): Promise<unknown>
  /** Hands out URLs, or ends the crawl. */
  pump(): void
  /** Ends the crawl, because the job was stopped. */
  stop(): void
  /** Tells the workers about a host that another process took into the scope. */
  widened(url: string): void
}
