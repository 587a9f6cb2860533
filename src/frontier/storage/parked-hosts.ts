import type { DatabaseSync } from 'node:sqlite'
import type { WallClock } from '../../runtime/wall-clock.ts'
import { storedHostIn } from './host-store.ts'
import { IN_MEMORY, IS_TAKEN_UP } from './sql-schema.ts'
import type { HostRecord, ParkedAs } from './stored-host.ts'
import { URL_STATE } from './stored-url.ts'

/** Condition for hosts that are parked: their `due` is greater than that of hosts in memory. */
const PARKED = 'due > ?'

/** The queue of parked hosts, as the columns `due` and `dormant` of the table `hosts` store it. */
export class ParkedHosts {
  readonly #setDue
  readonly #setDueIfNone
  readonly #next
  readonly #firstDue
  readonly #database: DatabaseSync
  readonly #clock: WallClock
  #awake = 0
  #dormant = 0
  #firstAt = Number.POSITIVE_INFINITY

  constructor(database: DatabaseSync, clock: WallClock) {
    this.#database = database
    this.#clock = clock
    this.#setDue = database.prepare('UPDATE hosts SET due = ?, dormant = ? WHERE id = ?')
    this.#setDueIfNone = database.prepare(
      'UPDATE hosts SET due = max(not_before, ?) WHERE id = ? AND due IS NULL',
    )
    this.#next = database.prepare(
      `SELECT * FROM hosts WHERE dormant = ? AND ${PARKED} AND due <= ? ORDER BY due LIMIT ?`,
    )
    this.#firstDue = database.prepare(
      `SELECT due FROM hosts WHERE dormant = ? AND ${PARKED} ORDER BY due LIMIT 1`,
    )
  }

  /** Number of hosts that are awake. */
  get awake(): number {
    return this.#awake
  }

  /** Number of all parked hosts. */
  get size(): number {
    return this.#awake + this.#dormant
  }

  /** When the first host is due, in milliseconds of the monotonic clock; infinite when there is none. */
  get firstAt(): number {
    return this.#firstAt
  }

  /** Parks a host that leaves memory and has something to do at a time. */
  park(id: number, at: number, as: ParkedAs): void {
    this.#setDue.run(this.#clock.toEpoch(at), Number(as === 'dormant'), id)
    this.#count(as, 1)
    this.#firstAt = Math.min(this.#firstAt, at)
  }

  /** Notes that a host leaves memory and has nothing to do. */
  drop(id: number): void {
    this.#setDue.run(null, 0, id)
  }

  /** Parks a host outside of memory that has something to do now; does nothing if it is already parked. */
  parkNew(id: number, now: number): void {
    if (this.#setDueIfNone.run(this.#clock.toEpoch(now), id).changes === 0) return
    this.#awake++
    this.#firstAt = Math.min(this.#firstAt, now)
  }

  /** Notes that a host is loaded into memory. */
  noteLoaded(id: number, parked: ParkedAs | undefined): void {
    if (parked !== undefined) this.#count(parked, -1)
    this.#setDue.run(IN_MEMORY, 0, id)
  }

  /** Returns hosts that are due, the longest overdue first and dormant ones last, and notes that they are loaded. */
  takeDue(now: number, limit: number): HostRecord[] {
    const awake = this.#take('awake', now, limit)
    const due = [...awake, ...this.#take('dormant', now, limit - awake.length)]
    this.#review()
    return due
  }

  /** Returns dormant hosts, due or not, and notes that they are loaded. */
  takeDormant(limit: number): HostRecord[] {
    const taken = this.#dormant > 0 ? this.#take('dormant', Number.MAX_SAFE_INTEGER / 2, limit) : []
    this.#review()
    return taken
  }

  /** Parks the hosts that were in memory when an earlier run ended. Clears the failures of all hosts. */
  resume(): void {
    this.#database.exec(`
      UPDATE hosts SET due = max(ifnull(not_before, 0), 0), dormant = 0
        WHERE dormant = 0 AND due = ${IN_MEMORY};
      UPDATE hosts SET errors = 0, demands = 0, failure = NULL, away_since = NULL
        WHERE errors > 0 OR demands > 0 OR failure IS NOT NULL OR away_since IS NOT NULL`)
    const count = this.#database.prepare(
      `SELECT count(*) AS hosts FROM hosts WHERE dormant = ? AND ${PARKED}`,
    )
    const parked = (dormant: number) => Number(count.get(dormant, IN_MEMORY)?.['hosts'])
    this.#awake = parked(0)
    this.#dormant = parked(1)
    this.#review()
  }

  /** Repairs a damaged queue, so that all hosts with waiting URLs have their turn. To be called before `resume`. */
  recover(): void {
    this.#database.exec(`
      UPDATE hosts SET due = ${IN_MEMORY}, dormant = 0
      WHERE NOT (${IS_TAKEN_UP}) AND id IN (SELECT host FROM urls WHERE state = ${URL_STATE.ready})`)
  }

  /** Wakes all hosts, and resets their page counts. To be called before `resume`. */
  revisit(): void {
    this.#database.exec('UPDATE hosts SET pages = 0, due = not_before, dormant = 0')
  }

  /** Wakes all hosts. To be called before `resume`. */
  wakeAll(): void {
    this.#database.exec('UPDATE hosts SET due = not_before, dormant = 0')
  }

  #take(as: ParkedAs, now: number, limit: number): HostRecord[] {
    const until = this.#clock.toEpoch(now)
    const rows = this.#next.all(Number(as === 'dormant'), IN_MEMORY, until, limit)
    const records = rows.map((row) => storedHostIn(row, this.#clock))
    for (const { id } of records) this.noteLoaded(id, as)
    return records
  }

  #count(as: ParkedAs, change: number): void {
    if (as === 'dormant') this.#dormant += change
    else this.#awake += change
  }

  #review(): void {
    const dues = [0, 1].flatMap((dormant) => {
      const row = this.#firstDue.get(dormant, IN_MEMORY)
      return row === undefined ? [] : [this.#clock.fromEpoch(Number(row['due']))]
    })
    this.#firstAt = Math.min(Number.POSITIVE_INFINITY, ...dues)
  }
}
