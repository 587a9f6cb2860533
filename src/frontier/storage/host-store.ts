import type { DatabaseSync } from 'node:sqlite'
import { parseStored, parseStoredJson } from '../../database/validate-stored-values.ts'
import type { WallClock } from '../../runtime/wall-clock.ts'
import { IN_MEMORY } from './sql-schema.ts'
import type { HostRecord, KnownRobots, StoredHost } from './stored-host.ts'
import { hostSchema, robotsAnswerSchema, robotsSchema } from './stored-rows.ts'

/** The record of a host that never got a request. */
const NEW_HOST = {
  notBefore: 0,
  pause: 0,
  pages: 0,
  errors: 0,
  demands: 0,
  failure: undefined,
  answeredUrl: undefined,
  awaySince: undefined,
} satisfies Omit<HostRecord, 'id' | 'key'>

/** Maximum characters of JSON of rules that are read with their host. Longer ones are read when they are needed. */
const LONG_ANSWER = 32_768

/** The tables `hosts` and `robots`. Stored times are milliseconds since 1970. */
export class HostStore {
  readonly #clock: WallClock
  readonly #insert
  readonly #id
  readonly #find
  readonly #update
  readonly #count
  readonly #putRobots
  readonly #robots
  readonly #robotsOf

  constructor(database: DatabaseSync, clock: WallClock) {
    this.#clock = clock
    this.#insert = database.prepare('INSERT INTO hosts (key) VALUES (?)')
    // The index contains both columns, so that the row isn't read.
    this.#id = database.prepare('SELECT id FROM hosts WHERE key = ?')
    this.#id.setReturnArrays(true)
    this.#find = database.prepare('SELECT * FROM hosts WHERE key = ?')
    this.#update = database.prepare(
      `UPDATE hosts SET not_before = ?, pause = ?, pages = ?, errors = ?, demands = ?, failure = ?,
         answered_url = ?, away_since = ? WHERE id = ?`,
    )
    this.#count = database.prepare('SELECT count(*) AS hosts FROM hosts')
    this.#putRobots = database.prepare(
      'INSERT OR REPLACE INTO robots (origin, host, until, answer) VALUES (?, ?, ?, ?)',
    )
    this.#robots = database.prepare('SELECT origin, until, answer FROM robots WHERE origin = ?')
    // Of large rules, only the Crawl-delay is read, which is used all the time.
    this.#robotsOf = database.prepare(
      `SELECT origin, until, length(answer) > ${LONG_ANSWER} AS large,
         iif(length(answer) > ${LONG_ANSWER} AND json_valid(answer), json_set(answer, '$.rules.rules', json('[]'),
           '$.rules.sitemaps', json('[]')), answer) AS answer
       FROM robots WHERE host = ?`,
    )
  }

  /** Number of hosts. */
  get count(): number {
    return Number(this.#count.get()?.['hosts'])
  }

  /** Adds a host that was not known. */
  insert(key: string): HostRecord {
    const id = Number(this.#insert.run(key).lastInsertRowid)
    return { id, key, ...NEW_HOST }
  }

  /** Returns the id of a host, in half the time that `find` takes; undefined if it is not known. */
  idOf(key: string): number | undefined {
    const row: unknown = this.#id.get(key)
    return Array.isArray(row) ? Number(row[0]) : undefined
  }

  /** Returns the row of a host; undefined if it is not known. */
  find(key: string): StoredHost | undefined {
    const row = this.#find.get(key)
    return row && storedHostIn(row, this.#clock)
  }

  /** Writes the row of a host. */
  update({ id, notBefore, pause, pages, ...rest }: HostRecord): void {
    const { errors, demands, failure, answeredUrl, awaySince } = rest
    const health = [errors, demands, failure ?? null] as const
    const away = awaySince === undefined ? null : this.#clock.toEpoch(awaySince)
    const at = this.#clock.toEpoch(notBefore)
    this.#update.run(at, pause, pages, ...health, answeredUrl ?? null, away, id)
  }

  /** Returns the robots.txt files of all origins of a host, without large rules. */
  robotsOf(host: number): [origin: string, known: KnownRobots][] {
    return this.#robotsOf.all(host).map(({ large, ...row }) => {
      const [origin, known] = this.#robotsIn(row)
      return [origin, { ...known, isLarge: large === 1 }]
    })
  }

  /** Returns the robots.txt of an origin, complete; undefined if it is not stored. */
  robots(origin: string): KnownRobots | undefined {
    const row = this.#robots.get(origin)
    return row && this.#robotsIn(row)[1]
  }

  #robotsIn(row: unknown): [origin: string, known: KnownRobots] {
    const { origin, answer, until } = parseStored(robotsSchema, row, 'robots')
    const read = parseStoredJson(robotsAnswerSchema, answer, 'robots.answer')
    return [origin, { answer: read, until: this.#clock.fromEpoch(until) }]
  }

  /** Stores the robots.txt of an origin. */
  putRobots(host: number, origin: string, { answer, until }: KnownRobots): void {
    this.#putRobots.run(origin, host, this.#clock.toEpoch(until), JSON.stringify(answer))
  }
}

/** @throws DamageError */
export function storedHostIn(row: unknown, clock: WallClock): StoredHost {
  const read = parseStored(hostSchema, row, 'hosts')
  const { not_before, failure, answered_url, away_since, due, dormant, ...host } = read
  const isParked = due !== null && due !== IN_MEMORY
  return {
    ...host,
    parked: isParked ? (dormant === 1 ? 'dormant' : 'awake') : undefined,
    notBefore: clock.fromEpoch(not_before),
    failure: failure ?? undefined,
    answeredUrl: answered_url ?? undefined,
    awaySince: away_since === null ? undefined : clock.fromEpoch(away_since),
  }
}
