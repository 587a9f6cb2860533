import { DepthTally } from './depth-tally.ts'
import { HostDirectory } from './host-directory.ts'
import { Leases } from './leases.ts'
import type { Manners } from './manners.ts'
import { OutlinkStore } from './outlink-store.ts'
import { RobotsAsks } from './robots-asks.ts'
import { openTemporaryDatabase } from './sqlite.ts'
import { UrlStore } from './url-store.ts'

/** What the frontier knows, in memory and on disk: read and written by its parts. */
export class Books {
  readonly #database = openTemporaryDatabase()
  readonly urls = new UrlStore(this.#database)
  readonly outlinks = new OutlinkStore(this.#database)
  readonly unfinished = new DepthTally()
  readonly leases = new Leases(this.urls, this.unfinished)
  readonly hosts: HostDirectory
  readonly robotsAsks: RobotsAsks
  /** Hosts whose address is being looked up. */
  lookUps = 0

  constructor(manners: Manners) {
    this.hosts = new HostDirectory(this.#database, this.urls, manners)
    this.robotsAsks = new RobotsAsks(this.hosts)
  }

  close(): void {
    this.#database.close()
  }
}
