import { type CrawlStorage, temporaryStorage } from '../../state/crawl-storage.ts'
import type { FrontierOptions } from '../frontier.ts'
import { HostQueueFrontier } from '../host-queue-frontier.ts'
import { WallClock } from '../wall-clock.ts'
import { LeasedHosts } from './leased-hosts.ts'
import { SqliteTables } from './sqlite-tables.ts'
import { StoredFrontier } from './stored-frontier.ts'
import { StoredTimes } from './stored-times.ts'

/** A frontier whose tables are in SQLite: a crawl may be stopped and resumed, and have more URLs than memory. */
export class SqliteFrontier extends HostQueueFrontier {
  readonly snapshot: StoredFrontier
  protected readonly leasedHosts: LeasedHosts
  readonly #store: CrawlStorage

  constructor(options: FrontierOptions, store: CrawlStorage = temporaryStorage()) {
    const { database } = store
    const clock = new WallClock()
    const tables = new SqliteTables(store, options, clock)
    super(tables, options)
    const times = new StoredTimes(database, options, clock)
    this.#store = store
    this.snapshot = new StoredFrontier(database, tables, times, this.parts)
    this.leasedHosts = new LeasedHosts(database, tables, times, this.parts)
  }

  close(): void {
    this.#store.close()
  }
}
