import type { DatabaseSync } from 'node:sqlite'
import { DamageError } from '../../errors.ts'
import type { RobotsAnswer } from '../../messages/from-worker.ts'
import type { LeftOverUrl, StoredFrontier } from '../frontier.ts'
import type { FrontierParts } from '../frontier-parts.ts'
import type { HostDirectory } from '../hosts/host-directory.ts'
import type { DepthTally } from '../shortest-path/depth-tally.ts'
import { adoptExternalLinks } from '../storage/external-links.ts'
import { FailedUrls } from '../storage/failed-urls.ts'
import type { FrontierTables } from '../storage/frontier-tables.ts'
import type { RereadScope, WaitingUrl } from '../storage/stored-url.ts'
import type { ClockCorrection } from './clock-correction.ts'

/** The stored state of a frontier in its database. */
export class SqliteStoredFrontier implements StoredFrontier {
  readonly #database: DatabaseSync
  readonly #tables: FrontierTables
  readonly #times: ClockCorrection
  readonly #hosts: HostDirectory
  readonly #unfinished: DepthTally

  constructor(database: DatabaseSync, times: ClockCorrection, parts: FrontierParts) {
    this.#database = database
    this.#times = times
    this.#tables = parts.tables
    this.#hosts = parts.hosts
    this.#unfinished = parts.unfinished
  }

  get lastUrl(): number {
    return this.#tables.urls.lastId
  }

  get rereadCount(): number {
    return this.#tables.rereads.size
  }

  urlsSince(id: number, limit: number): { urls: readonly string[]; last: number } {
    return this.#tables.urls.since(id, limit)
  }

  leftOvers(): Iterable<LeftOverUrl> {
    return this.#tables.urls.leftOvers()
  }

  robotsOf(origin: string): RobotsAnswer | undefined {
    return this.#hosts.robotsOf(origin)
  }

  resume(): number {
    const { urls, outlinks, parked, domains } = this.#tables
    const recalled = urls.requeueUnfinished()
    outlinks.recount()
    this.#checkKey()
    const waiting = urls.waitingByDepth()
    for (const { depth, count } of waiting) this.#unfinished.add(depth, count)
    if (waiting.some(({ lost }) => lost > 0)) parked.recover()
    this.#times.bound(performance.now())
    parked.resume()
    domains?.resume()
    return recalled
  }

  revisit(time: number): void {
    this.#tables.urls.revisit(time)
    this.#tables.rereads.noteDue(time)
    this.#tables.parked.revisit()
  }

  retryFailed(retryStatus: readonly string[]): void {
    new FailedUrls(this.#database, retryStatus).retry()
  }

  forgetRobotsRules(): void {
    this.#database.exec(
      "DELETE FROM robots WHERE json_valid(answer) AND answer ->> '$.access' = 'rules'",
    )
  }

  reread(scope: RereadScope): void {
    this.#tables.rereads.add(scope)
    this.#tables.parked.wakeAll()
  }

  adoptExternal(belongs: (url: string) => boolean): void {
    adoptExternalLinks(this.#database, belongs)
  }

  reconsiderSkipped(below: number): void {
    this.#tables.urls.reconsiderSkipped(below)
    this.#tables.parked.wakeAll()
  }

  forgetDropped(): void {
    this.#tables.rereads.forgetDropped()
  }

  dropUnwanted(isWanted: (url: WaitingUrl) => boolean): Iterable<WaitingUrl> {
    return this.#tables.rereads.drop(isWanted)
  }

  save(): void {
    this.#times.follow()
    this.#hosts.save()
  }

  /**
   * Checks that the keys of URLs were made with the secret of this crawl. Otherwise all URLs would seem to be new.
   * @throws DamageError
   */
  #checkKey(): void {
    const { urls } = this.#tables
    const [first] = urls.since(0, 1).urls
    if (first === undefined || urls.find(this.#tables.keyOf(first), first) !== undefined) return
    throw new DamageError('urls.key: expected hashes made with the hash-key of this state')
  }
}
