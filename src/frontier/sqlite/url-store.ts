import type { DatabaseSync } from 'node:sqlite'
import { type Stored, stored } from '../../database/stored-value.ts'
import { DamageError } from '../../errors.ts'
import { idAndUrlForm, knownUrlForm, readyUrl, readyUrlForm, waitingForm } from './stored-rows.ts'
import type { HostName, KnownUrl, Place, ReadyUrl } from './stored-url.ts'
import { IS_ASTRAY, IS_TAKEN_UP, STATE, type State, TABLES } from './tables.ts'

const READY_URLS = `
  SELECT u.id, u.url, u.depth, u.sidesteps, u.redirects, u.hop, page.url AS via,
         u.attempts, u.failures
  FROM urls AS u LEFT JOIN urls AS page ON page.id = u.via`

const UNFINISHED: readonly State[] = [STATE.ready, STATE.inFlight, STATE.deferred]

/** The table of all URLs: statements prepared once, no decisions. */
export class UrlStore {
  readonly #database: DatabaseSync
  readonly #insert
  readonly #find
  readonly #ready
  readonly #deferred
  readonly #leftOvers
  readonly #handOut
  readonly #countFailure
  readonly #forget
  readonly #setState
  readonly #move
  readonly #recall
  readonly #recallDeferred
  readonly #waitingByDepth
  readonly #countWaiting
  readonly #lastId
  readonly #since

  constructor(database: DatabaseSync) {
    database.exec(TABLES)
    this.#database = database
    this.#insert = database.prepare(
      `INSERT INTO urls (key, url, host, state, depth, sidesteps, redirects, hop, via)
       SELECT ?, ?, ?, ${STATE.ready}, ?, ?, ?, ?, ?
       WHERE NOT EXISTS (SELECT 1 FROM urls WHERE key = ? AND url = ?)`,
    )
    this.#find = database.prepare(
      'SELECT id, host, state, depth, sidesteps, redirects FROM urls WHERE key = ? AND url = ?',
    )
    const inTurn = (state: State) => `${READY_URLS} WHERE u.host = ? AND u.state = ${state}
      ORDER BY u.depth, u.sidesteps, u.id LIMIT ?`
    this.#ready = database.prepare(inTurn(STATE.ready))
    this.#deferred = database.prepare(inTurn(STATE.deferred))
    this.#leftOvers = database.prepare(`${READY_URLS} WHERE u.state IN (${UNFINISHED.join()})`)
    this.#handOut = database.prepare(
      `UPDATE urls SET state = ${STATE.inFlight}, attempts = attempts + 1 WHERE id = ?`,
    )
    this.#countFailure = database.prepare('UPDATE urls SET failures = failures + 1 WHERE id = ?')
    this.#forget = database.prepare(
      `UPDATE urls SET state = ${STATE.forgotten}, attempts = 0, failures = 0 WHERE id = ?`,
    )
    this.#setState = database.prepare('UPDATE urls SET state = ? WHERE id = ?')
    this.#move = database.prepare(
      'UPDATE urls SET depth = ?, sidesteps = ?, redirects = ?, hop = ?, via = ? WHERE id = ?',
    )
    this.#recall = database.prepare(
      `UPDATE urls SET state = ${STATE.ready} WHERE state = ${STATE.inFlight}`,
    )
    this.#recallDeferred = database.prepare(
      `UPDATE urls SET state = ${STATE.ready} WHERE id IN (SELECT id FROM urls WHERE host = ? AND state = ${STATE.deferred}
         ORDER BY depth, sidesteps, id LIMIT ?)`,
    )
    this.#lastId = database.prepare('SELECT max(id) AS id FROM urls')
    this.#since = database.prepare(
      `SELECT id, url FROM urls WHERE id > ? AND state <> ${STATE.forgotten} ORDER BY id LIMIT ?`,
    )
    this.#waitingByDepth = database.prepare(
      // The index gives them by host and depth: only sums have to be sorted.
      `SELECT depth, sum(waiting) AS count, sum(hosts.id IS NULL) AS homeless,
              sum(NOT ${IS_TAKEN_UP}) AS lost
       FROM (
         SELECT host, depth, count(*) AS waiting FROM urls WHERE state = ${STATE.ready} GROUP BY host, depth
       ) LEFT JOIN hosts ON hosts.id = host GROUP BY depth`,
    )
    this.#since.setReturnArrays(true) // in half the time
    const waitingIn = (state: State) => {
      return `(SELECT count(*) FROM urls WHERE host = ? AND state = ${state})`
    }
    this.#countWaiting = database.prepare(
      `SELECT ${waitingIn(STATE.ready)} + ${waitingIn(STATE.deferred)} AS count`,
    )
  }

  /** 0 when there is none. */
  get lastId(): number {
    return Number(this.#lastId.get()?.['id'] ?? 0)
  }

  /** The next URLs with greater ids that are not forgotten, in their order. */
  since(id: number, limit: number): { urls: string[]; last: number } {
    const rows: readonly unknown[] = this.#since.all(id, limit)
    const found = rows.map((row) => stored(idAndUrlForm, row, 'urls'))
    return { urls: found.map(([, url]) => url), last: found.at(-1)?.[0] ?? id }
  }

  /** What was in flight or deferred when an earlier run ended waits again; gives the former's number. */
  recall(): number {
    this.#database.exec(`UPDATE urls SET state = ${STATE.ready} WHERE state = ${STATE.deferred}`)
    return Number(this.#recall.run().changes)
  }

  /** A round begins: see `Archive.revisit`. */
  revisit(time: number): void {
    const again = `UPDATE urls SET state = ${STATE.ready}, attempts = 0, failures = 0 WHERE state`
    const due = 'SELECT url FROM visits WHERE at <= ?'
    const done = `${STATE.visited}, ${STATE.failed}`
    this.#database.prepare(`${again} IN (${done}) AND id IN (${due})`).run(time)
    const kept = `${STATE.forbidden}, ${STATE.skipped}, ${STATE.hostFailed}`
    this.#database.exec(`${again} IN (${kept})`)
  }

  /**
   * How many URLs wait at each depth.
   * @throws DamageError when a URL would be left out, or would wait for ever
   */
  waitingByDepth(): Stored<typeof waitingForm>[] {
    const astray = this.#database.prepare(
      `SELECT id FROM urls INDEXED BY astray WHERE ${IS_ASTRAY}`,
    )
    if (astray.get() !== undefined) throw new DamageError('urls.state: expected a state of a URL')
    const rows = this.#waitingByDepth.all().map((row) => stored(waitingForm, row, 'urls'))
    const hosts = rows.reduce((sum, { homeless }) => sum + homeless, 0)
    if (hosts > 0) throw new DamageError(`hosts has no row for ${hosts} of the hosts in urls`)
    return rows
  }

  /** How many URLs of a host wait. */
  countWaiting(host: number): number {
    return Number(this.#countWaiting.get(host, host)?.['count'])
  }

  /** False when the URL is known already. */
  insert(key: number, url: string, host: number, place: Place): boolean {
    const { depth, sidesteps, redirects, hop, via } = place
    const row = [key, url, host, depth, sidesteps, redirects, hop, via] as const
    return this.#insert.run(...row, key, url).changes === 1
  }

  find(key: number, url: string): KnownUrl | undefined {
    const row = this.#find.get(key, url)
    return row && stored(knownUrlForm, row, 'urls')
  }

  /** The next URLs of a host, in the order of their visits. */
  ready(host: HostName, limit: number): ReadyUrl[] {
    return this.#ready.all(host.id, limit).map((row) => readyUrl(row, host))
  }

  /** The same for those that wait until nothing else is left. */
  deferred(host: HostName, limit: number): ReadyUrl[] {
    return this.#deferred.all(host.id, limit).map((row) => readyUrl(row, host))
  }

  /** So many of those that were deferred are ready again. */
  recallDeferred(host: number, limit: number): void {
    this.#recallDeferred.run(host, limit)
  }

  /** All that is not finished, in no order. */
  *leftOvers(): Generator<{ url: string; depth: number; via?: string }> {
    for (const row of this.#leftOvers.iterate()) {
      const { url, depth, via } = stored(readyUrlForm, row, 'urls')
      yield via === null ? { url, depth } : { url, depth, via }
    }
  }

  handOut(id: number): void {
    this.#handOut.run(id)
  }

  countFailure(id: number): void {
    this.#countFailure.run(id)
  }

  /** It counts as never met, and as never asked for. */
  forget(id: number): void {
    this.#forget.run(id)
  }

  setState(id: number, state: State): void {
    this.#setState.run(state, id)
  }

  /** Puts a URL on a shorter path. */
  move(id: number, { depth, sidesteps, redirects, hop, via }: Place): void {
    this.#move.run(depth, sidesteps, redirects, hop, via, id)
  }
}
