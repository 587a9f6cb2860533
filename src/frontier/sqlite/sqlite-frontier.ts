import { type CrawlStorage, temporaryStorage } from '../../state/crawl-storage.ts'
import { BaseFrontier } from '../base-frontier.ts'
import type { FrontierOptions } from '../frontier.ts'
import { WallClock } from '../wall-clock.ts'
import { ClockCorrection } from './clock-correction.ts'
import { SqliteSnapshot } from './frontier-snapshot.ts'
import { LeasedHosts } from './leased-hosts.ts'
import { SqliteTables } from './sqlite-tables.ts'

/** A frontier with tables in SQLite: a crawl can be stopped and resumed, and its URLs need not fit into memory. */
export class SqliteFrontier extends BaseFrontier {
  readonly snapshot: SqliteSnapshot
  protected readonly leasedHosts: LeasedHosts
  readonly #store: CrawlStorage

  constructor(options: FrontierOptions, store: CrawlStorage = temporaryStorage()) {
    const { database } = store
    const clock = new WallClock()
    const tables = new SqliteTables(store, options, clock)
    super(tables, options)
    const times = new ClockCorrection(database, options, clock)
    this.#store = store
    this.snapshot = new SqliteSnapshot(database, tables, times, this.parts)
    this.leasedHosts = new LeasedHosts(database, tables, times, this.parts)
  }

  close(): void {
    this.#store.close()
  }
}
