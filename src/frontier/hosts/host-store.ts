import type { DatabaseSync } from 'node:sqlite'
import type { RobotsAnswer } from '../../wire/messages.ts'

/** What is kept of a host that is not active. */
export interface HostRecord {
  readonly id: number
  /** Host name and port. */
  readonly key: string
  /** No request before this time, in milliseconds of the monotonic clock. */
  readonly notBefore: number
  /** Adaptive pause, in milliseconds. */
  readonly pause: number
  /** Pages that were asked of it. */
  readonly pages: number
}

/** What robots.txt of an origin says, and until when that holds (monotonic clock). */
export interface KnownRobots {
  readonly answer: RobotsAnswer
  readonly until: number
}

/** The tables `hosts` and `robots`. Times there are milliseconds since 1970: clocks start anew. */
export class HostStore {
  readonly #insert
  readonly #find
  readonly #get
  readonly #update
  readonly #count
  readonly #putRobots
  readonly #robots

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO hosts (key) VALUES (?)')
    this.#find = database.prepare('SELECT * FROM hosts WHERE key = ?')
    this.#get = database.prepare('SELECT * FROM hosts WHERE id = ?')
    this.#update = database.prepare(
      'UPDATE hosts SET not_before = ?, pause = ?, pages = ? WHERE id = ?',
    )
    this.#count = database.prepare('SELECT count(*) AS hosts FROM hosts')
    this.#putRobots = database.prepare(
      'INSERT OR REPLACE INTO robots (origin, host, until, answer) VALUES (?, ?, ?, ?)',
    )
    this.#robots = database.prepare('SELECT origin, until, answer FROM robots WHERE host = ?')
  }

  get count(): number {
    return Number(this.#count.get()?.['hosts'])
  }

  /** A host that was not known. */
  insert(key: string): HostRecord {
    const id = Number(this.#insert.run(key).lastInsertRowid)
    return { id, key, notBefore: 0, pause: 0, pages: 0 }
  }

  find(key: string): HostRecord | undefined {
    return recordOf(this.#find.get(key))
  }

  get(id: number): HostRecord | undefined {
    return recordOf(this.#get.get(id))
  }

  update({ id, notBefore, pause, pages }: HostRecord): void {
    this.#update.run(toEpoch(notBefore), pause, pages, id)
  }

  robotsOf(host: number): [origin: string, known: KnownRobots][] {
    return this.#robots.all(host).map(({ origin, until, answer }) => {
      const known = { answer: JSON.parse(String(answer)), until: fromEpoch(Number(until)) }
      return [String(origin), known]
    })
  }

  putRobots(host: number, origin: string, { answer, until }: KnownRobots): void {
    this.#putRobots.run(origin, host, toEpoch(until), JSON.stringify(answer))
  }
}

function recordOf(row: Record<string, unknown> | undefined): HostRecord | undefined {
  if (row === undefined) return undefined
  return {
    id: Number(row['id']),
    key: String(row['key']),
    notBefore: fromEpoch(Number(row['not_before'])),
    pause: Number(row['pause']),
    pages: Number(row['pages']),
  }
}

function toEpoch(monotonic: number): number {
  return Math.round(performance.timeOrigin + monotonic)
}

function fromEpoch(ms: number): number {
  return ms - performance.timeOrigin
}
