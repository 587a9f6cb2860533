import type { DatabaseSync } from 'node:sqlite'
import { stored, storedJson } from '../../database/stored-value.ts'
import type { RobotsAnswer, RobotsFailure } from '../../messages/messages.ts'
import type { AvailabilityRecord } from '../politeness/availability.ts'
import type { HealthRecord } from '../politeness/host-health.ts'
import type { WallClock } from '../wall-clock.ts'
import { hostForm, robotsAnswerForm, robotsForm } from './stored-rows.ts'
import { IN_MEMORY } from './tables.ts'

/** What is kept of a host that is not in memory. */
export interface HostRecord extends HealthRecord, AvailabilityRecord {
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

/** What a host that has URLs waiting while it is not in memory is. */
export type Parked = 'awake' | 'dormant'

interface KnownHost extends HostRecord {
  readonly parked: Parked | undefined
}

/**
 * What robots.txt of an origin says, and until when that holds (monotonic clock); or that it could not
 * be had so many times, and when it is to be asked for again.
 */
export interface KnownRobots {
  readonly answer: RobotsAnswer | (RobotsFailure & { readonly failures: number })
  readonly until: number
  /** The rules are many, and not here: `robots` has them. */
  readonly isShelved?: boolean
}

/** What is known of a host that was never asked. */
const UNKNOWN = {
  ...{ notBefore: 0, pause: 0, pages: 0, errors: 0, demands: 0 },
  ...{ failure: undefined, witness: undefined, awaySince: undefined },
} satisfies Omit<HostRecord, 'id' | 'key'>

/** Characters of JSON from which on rules are read when they are needed, and not with their host. */
const LONG_ANSWER = 32_768

/** The tables `hosts` and `robots`. Times there are milliseconds since 1970: clocks start anew. */
export class HostStore {
  readonly #clock: WallClock
  readonly #insert
  readonly #find
  readonly #update
  readonly #count
  readonly #putRobots
  readonly #robots
  readonly #robotsOf

  constructor(database: DatabaseSync, clock: WallClock) {
    this.#clock = clock
    this.#insert = database.prepare('INSERT INTO hosts (key) VALUES (?)')
    this.#find = database.prepare('SELECT * FROM hosts WHERE key = ?')
    this.#update = database.prepare(
      `UPDATE hosts SET not_before = ?, pause = ?, pages = ?, errors = ?, demands = ?, failure = ?,
         witness = ?, away_since = ? WHERE id = ?`,
    )
    this.#count = database.prepare('SELECT count(*) AS hosts FROM hosts')
    this.#putRobots = database.prepare(
      'INSERT OR REPLACE INTO robots (origin, host, until, answer) VALUES (?, ?, ?, ?)',
    )
    this.#robots = database.prepare('SELECT origin, until, answer FROM robots WHERE origin = ?')
    // Where rules are many, what is asked for all the time.
    this.#robotsOf = database.prepare(
      `SELECT origin, until, length(answer) > ${LONG_ANSWER} AS shelved,
         iif(length(answer) > ${LONG_ANSWER} AND json_valid(answer), json_set(answer, '$.rules.rules', json('[]'),
           '$.rules.sitemaps', json('[]')), answer) AS answer
       FROM robots WHERE host = ?`,
    )
  }

  get count(): number {
    return Number(this.#count.get()?.['hosts'])
  }

  /** A host that was not known. */
  insert(key: string): HostRecord {
    const id = Number(this.#insert.run(key).lastInsertRowid)
    return { id, key, ...UNKNOWN }
  }

  find(key: string): KnownHost | undefined {
    const row = this.#find.get(key)
    if (row === undefined) return undefined
    const { due, dormant } = stored(hostForm, row, 'hosts')
    const isParked = due !== null && due !== IN_MEMORY
    const parked = isParked ? (dormant === 1 ? 'dormant' : 'awake') : undefined
    return { ...recordOf(row, this.#clock), parked }
  }

  update({ id, notBefore, pause, pages, ...rest }: HostRecord): void {
    const { errors, demands, failure, witness, awaySince } = rest
    const health = [errors, demands, failure ?? null] as const
    const away = awaySince === undefined ? null : this.#clock.toEpoch(awaySince)
    const at = this.#clock.toEpoch(notBefore)
    this.#update.run(at, pause, pages, ...health, witness ?? null, away, id)
  }

  robotsOf(host: number): [origin: string, known: KnownRobots][] {
    return this.#robotsOf.all(host).map(({ shelved, ...row }) => {
      const { origin } = stored(robotsForm, row, 'robots')
      return [origin, { ...this.#knownIn(row), isShelved: shelved === 1 }]
    })
  }

  /** What robots.txt of an origin says, whole. */
  robots(origin: string): KnownRobots | undefined {
    const row = this.#robots.get(origin)
    return row && this.#knownIn(row)
  }

  #knownIn(row: unknown): KnownRobots {
    const { answer, until } = stored(robotsForm, row, 'robots')
    const read = storedJson(robotsAnswerForm, answer, 'robots.answer')
    return { answer: read, until: this.#clock.fromEpoch(until) }
  }

  putRobots(host: number, origin: string, { answer, until }: KnownRobots): void {
    this.#putRobots.run(origin, host, this.#clock.toEpoch(until), JSON.stringify(answer))
  }
}

/** @throws DamageError */
export function recordOf(row: unknown, clock: WallClock): HostRecord {
  const read = stored(hostForm, row, 'hosts')
  const { not_before, failure, witness, away_since, due: _, dormant: __, ...host } = read
  return {
    ...host,
    notBefore: clock.fromEpoch(not_before),
    failure: failure ?? undefined,
    witness: witness ?? undefined,
    awaySince: away_since === null ? undefined : clock.fromEpoch(away_since),
  }
}
