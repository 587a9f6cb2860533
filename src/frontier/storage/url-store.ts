import type { DatabaseSync } from 'node:sqlite'
import { httpUrl, parseStored, type StoredValue } from '../../database/validate-stored-values.ts'
import { countOf } from '../../english-text.ts'
import { DamageError } from '../../errors.ts'
import { DROPPED_IDS } from '../../state/dropped-visits.ts'
import { IS_ASTRAY, IS_TAKEN_UP, TABLES } from './sql-schema.ts'
import {
  idAndUrlSchema,
  knownUrlSchema,
  readyUrlSchema,
  readyUrls,
  waitingSchema,
} from './stored-rows.ts'
import {
  type DeferredOrder,
  type HostRef,
  type KnownUrl,
  type ReadyUrl,
  UNFINISHED,
  URL_STATE,
  type UrlPlace,
  type UrlState,
} from './stored-url.ts'

const READY_URLS = `
  SELECT u.id, u.url, u.depth, u.same_depth_hops AS sameDepthHops, u.redirects, u.hop, page.url AS via, u.attempts, u.failures
  FROM urls AS u LEFT JOIN urls AS page ON page.id = u.via`

/** A limit as an expression. With a bare `?`, SQLite would plan the statement again for each value. */
const ANY_LIMIT = '(? + 0)'

const INSERT = `
  INSERT INTO urls (key, url, host, state, depth, same_depth_hops, redirects, hop, via)
  VALUES (?, ?, ?, ${URL_STATE.ready}, ?, ?, ?, ?, ?)`
const FIND = `
  SELECT id, host, state, depth, same_depth_hops AS sameDepthHops, redirects FROM urls
  WHERE key = ? AND url = ?`
const HAND_OUT = `
  UPDATE urls SET state = ${URL_STATE.inFlight}, attempts = attempts + 1 WHERE id BETWEEN ? AND ?`
const RETURN_UNSENT = `
  UPDATE urls SET state = ${URL_STATE.ready}, attempts = attempts - 1 WHERE id = ?`
const FORGET = `
  UPDATE urls SET state = ${URL_STATE.forgotten}, attempts = 0, failures = 0 WHERE id = ?`
const MOVE =
  'UPDATE urls SET depth = ?, same_depth_hops = ?, redirects = ?, hop = ?, via = ? WHERE id = ?'
const RESTORE_DEFERRED = `
  UPDATE urls SET state = ${URL_STATE.ready}
  WHERE id IN (
    SELECT id FROM urls WHERE host = ? AND state = ${URL_STATE.deferred}
    ORDER BY depth, same_depth_hops, id LIMIT ${ANY_LIMIT})`
const SINCE = `
  SELECT id, url FROM urls WHERE id > ? AND state <> ${URL_STATE.forgotten} ORDER BY id LIMIT ?`
/** Two counts, each of which uses the index of its state. */
const COUNT_WAITING = `
  SELECT (SELECT count(*) FROM urls WHERE host = ? AND state = ${URL_STATE.ready})
    + (SELECT count(*) FROM urls WHERE host = ? AND state = ${URL_STATE.deferred}) AS count`

/** Subtracts a URL from the pages of its host, if it was requested. */
const UNCOUNT_PAGE = `
  UPDATE hosts SET pages = max(0, pages - 1)
  WHERE id = (SELECT host FROM urls WHERE id = ? AND attempts > 0)`

/** The index returns URLs by host and depth, so that only sums must be sorted. */
const WAITING_BY_DEPTH = `
  SELECT depth, sum(waiting) AS count, sum(iif(hosts.id IS NULL, waiting, 0)) AS withoutHost, sum(NOT ${IS_TAKEN_UP}) AS lost
  FROM (SELECT host, depth, count(*) AS waiting FROM urls WHERE state = ${URL_STATE.ready} GROUP BY host, depth)
    LEFT JOIN hosts ON hosts.id = host
  GROUP BY depth`

function ofHost(state: UrlState, order: 'ASC' | 'DESC'): string {
  return `${READY_URLS} WHERE u.host = ? AND u.state = ${state}
    ORDER BY u.depth ${order}, u.same_depth_hops ${order}, u.id ${order} LIMIT ${ANY_LIMIT}`
}

/** The table `urls`. */
export class UrlStore {
  readonly #database: DatabaseSync
  readonly #has
  readonly #insert
  readonly #find
  readonly #url
  readonly #ready
  readonly #deferred
  readonly #leftOvers
  readonly #handOut
  readonly #countFailure
  readonly #uncountPage
  readonly #forget
  readonly #setState
  readonly #move
  readonly #returnUnsent
  readonly #restoreDeferred
  readonly #countWaiting
  readonly #since
  #handedOut: number[] = []

  constructor(database: DatabaseSync) {
    database.exec(TABLES)
    this.#database = database
    // Two statements take half the time of one with NOT EXISTS, for which SQLite creates a table each time.
    this.#has = database.prepare('SELECT 1 FROM urls WHERE key = ? AND url = ?')
    this.#insert = database.prepare(INSERT)
    this.#find = database.prepare(FIND)
    this.#url = database.prepare('SELECT url FROM urls WHERE id = ?')
    this.#ready = database.prepare(ofHost(URL_STATE.ready, 'ASC'))
    this.#deferred = {
      'nearest-first': database.prepare(ofHost(URL_STATE.deferred, 'ASC')),
      'farthest-first': database.prepare(ofHost(URL_STATE.deferred, 'DESC')),
    }
    for (const rows of [this.#ready, ...Object.values(this.#deferred)]) rows.setReturnArrays(true) // takes half the time
    this.#leftOvers = database.prepare(`${READY_URLS} WHERE u.state IN (${UNFINISHED})`)
    this.#handOut = database.prepare(HAND_OUT)
    this.#returnUnsent = database.prepare(RETURN_UNSENT)
    this.#countFailure = database.prepare('UPDATE urls SET failures = failures + 1 WHERE id = ?')
    this.#uncountPage = database.prepare(UNCOUNT_PAGE)
    this.#forget = database.prepare(FORGET)
    this.#setState = database.prepare('UPDATE urls SET state = ? WHERE id = ?')
    this.#move = database.prepare(MOVE)
    this.#restoreDeferred = database.prepare(RESTORE_DEFERRED)
    this.#since = database.prepare(SINCE)
    this.#since.setReturnArrays(true) // takes half the time
    this.#countWaiting = database.prepare(COUNT_WAITING)
  }

  /** Id of the URL that was added last; 0 when there is none. */
  get lastId(): number {
    return Number(this.#database.prepare('SELECT max(id) AS id FROM urls').get()?.['id'] ?? 0)
  }

  /** Returns the next URLs after an id, except forgotten ones, and the id of the last one. */
  since(id: number, limit: number): { urls: string[]; last: number } {
    const rows: readonly unknown[] = this.#since.all(id, limit)
    const found = rows.map((row) => parseStored(idAndUrlSchema, row, 'urls'))
    return { urls: found.map(([, url]) => url), last: found.at(-1)?.[0] ?? id }
  }

  /** Makes URLs ready that were in flight or deferred when the last run ended. Returns how many were in flight. */
  requeueUnfinished(): number {
    const requeue = (state: UrlState) =>
      this.#database.prepare(`UPDATE urls SET state = ${URL_STATE.ready} WHERE state = ${state}`)
    requeue(URL_STATE.deferred).run()
    return Number(requeue(URL_STATE.inFlight).run().changes)
  }

  /** Makes URLs ready again: see `StoredFrontier.revisit`. */
  revisit(time: number): void {
    const again = `UPDATE urls SET state = ${URL_STATE.ready}, attempts = 0, failures = 0 WHERE state`
    const due = 'SELECT url FROM visits WHERE at <= ?'
    const done = `${URL_STATE.visited}, ${URL_STATE.failed}`
    this.#database
      .prepare(`${again} IN (${done}) AND id IN (${due}) AND id NOT IN (${DROPPED_IDS})`)
      .run(time)
    const kept = `${URL_STATE.forbidden}, ${URL_STATE.skipped}, ${URL_STATE.hostFailed}`
    this.#database.exec(`${again} IN (${kept})`)
  }

  /** Makes forbidden and skipped URLs deeper than `below` ready again. */
  reconsiderSkipped(below: number): void {
    this.#database.exec(
      `UPDATE urls SET state = ${URL_STATE.ready}
       WHERE state IN (${URL_STATE.forbidden}, ${URL_STATE.skipped}) AND depth > ${Math.floor(below)}`,
    )
  }

  /**
   * Counts the URLs that are ready at each depth.
   * @throws DamageError if a URL is in an unknown state, or its host has no row
   */
  waitingByDepth(): StoredValue<typeof waitingSchema>[] {
    const astray = this.#database.prepare(
      `SELECT id FROM urls INDEXED BY astray WHERE ${IS_ASTRAY}`,
    )
    if (astray.get() !== undefined) throw new DamageError('urls.state: expected a state of a URL')
    const counts = this.#database.prepare(WAITING_BY_DEPTH).all()
    const rows = counts.map((row) => parseStored(waitingSchema, row, 'urls'))
    const urls = rows.reduce((sum, { withoutHost }) => sum + withoutHost, 0)
    if (urls === 0) return rows
    throw new DamageError(`hosts has no row for the hosts of ${countOf(urls, 'URL')} in urls`)
  }

  /** Counts the URLs of a host that are ready or deferred. */
  countWaiting(host: number): number {
    this.flush()
    return Number(this.#countWaiting.get(host, host)?.['count'])
  }

  /** Adds a URL that is ready to be fetched. Returns its id; undefined when the URL is known already. */
  insert(key: number, url: string, host: number, place: UrlPlace): number | undefined {
    const { depth, sameDepthHops, redirects, hop, via } = place
    if (this.#has.get(key, url) !== undefined) return undefined
    const { lastInsertRowid: id } = this.#insert.run(
      key,
      url,
      host,
      depth,
      sameDepthHops,
      redirects,
      hop,
      via,
    )
    return Number(id)
  }

  /** Returns the row of a URL; undefined if it is not known. */
  find(key: number, url: string): KnownUrl | undefined {
    const row = this.#find.get(key, url)
    return row && parseStored(knownUrlSchema, row, 'urls')
  }

  /** Returns the URL of an id; undefined if there is none. */
  urlOf(id: number): string | undefined {
    const row = this.#url.get(id)
    return row && parseStored(httpUrl, row['url'], 'urls.url')
  }

  /** Returns the next URLs of a host that are ready, in the order of their visits. */
  ready(host: HostRef, limit: number): ReadyUrl[] {
    this.flush()
    return readyUrls(this.#ready.all(host.id, limit), host)
  }

  /** Returns the next URLs of a host that are deferred, in the order of their visits. */
  deferred(host: HostRef, limit: number, order: DeferredOrder): ReadyUrl[] {
    this.flush()
    return readyUrls(this.#deferred[order].all(host.id, limit), host)
  }

  /** Makes the first deferred URLs of a host ready again, at most `limit` of them. */
  restoreDeferred(host: number, limit: number): void {
    this.#restoreDeferred.run(host, limit)
  }

  /** Yields the URLs that are not finished, in no particular order. */
  *leftOvers(): Generator<{ url: string; depth: number; via?: string }> {
    for (const row of this.#leftOvers.iterate()) {
      const { url, depth, via } = parseStored(readyUrlSchema, row, 'urls')
      yield via === null ? { url, depth } : { url, depth, via }
    }
  }

  /** Marks a URL as in flight and counts the attempt. The changes may not be written before `flush`. */
  handOut(id: number): void {
    this.#handedOut.push(id)
  }

  /**
   * Writes the URLs that were handed out. Consecutive ids are written together, which takes a third of the time: most
   * URLs are handed out in the order in which they were found.
   */
  flush(): void {
    const ids = this.#handedOut
    if (ids.length === 0) return
    this.#handedOut = []
    let first = ids[0] ?? 0
    for (const [at, id] of ids.entries()) {
      const next = ids[at + 1]
      if (next === id + 1) continue
      this.#handOut.run(first, id)
      first = next ?? 0
    }
  }

  /** Makes a URL ready again that was handed out but not requested. */
  returnUnsent(id: number): void {
    this.flush()
    this.#returnUnsent.run(id)
  }

  /** Counts a failed attempt. */
  countFailure(id: number): void {
    this.#countFailure.run(id)
  }

  /** Forgets a URL: it counts as never found and never requested. */
  forget(id: number): void {
    this.#uncountPage.run(id)
    this.#forget.run(id)
  }

  /** Sets the state of a URL. */
  setState(id: number, state: UrlState): void {
    this.#setState.run(state, id)
  }

  /** Moves a URL to a shorter path. */
  move(id: number, { depth, sameDepthHops, redirects, hop, via }: UrlPlace): void {
    this.#move.run(depth, sameDepthHops, redirects, hop, via, id)
  }
}
