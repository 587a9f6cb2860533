import type { DatabaseSync } from 'node:sqlite'
import { type Stored, stored } from '../../database/stored-value.ts'
import { Fifo } from '../fifo.ts'
import { turnForm } from '../sqlite/stored-rows.ts'
import { STATE } from '../sqlite/tables.ts'

/** How many URLs may be asked for ahead of the slowest. Another number would be another order in rare cases. */
const WINDOW = 512

const COLUMNS = `
  SELECT urls.id, urls.depth, urls.sidesteps, urls.hop, hosts.key AS host
  FROM urls INDEXED BY in_order JOIN hosts ON hosts.id = urls.host
  WHERE urls.state = ${STATE.ready}`

type Turn = Stored<typeof turnForm>

/**
 * The one order in which URLs are settled with `--deterministic`: level by level over all hosts, and as
 * they were discovered within a level. All of a level is known when it begins, so the order depends on
 * what was settled before, and on nothing else. Those next in it are admitted: they may be fetched at
 * the same time, and in any order.
 *
 * Seeds, and where they redirect, are alone: they may take the scope to another host, or name sitemaps,
 * and others must not meet links to there before.
 */
export class Turns {
  readonly #first
  readonly #further
  readonly #queue = new Fifo<Turn>()
  readonly #admitted = new Set<number>()
  #next: Turn | undefined
  #last: Turn | undefined

  constructor(database: DatabaseSync) {
    database.exec(
      `CREATE INDEX IF NOT EXISTS in_order ON urls (depth, sidesteps, id) WHERE state = ${STATE.ready}`,
    )
    const order = 'ORDER BY urls.depth, urls.sidesteps, urls.id LIMIT'
    this.#first = database.prepare(`${COLUMNS} ${order} 1`)
    this.#further = database.prepare(
      `${COLUMNS} AND urls.depth = ? AND urls.sidesteps = ? AND urls.id > ? ${order} ?`,
    )
  }

  /** Whether a URL may be handed out. */
  admits(id: number): boolean {
    return this.#admitted.has(id)
  }

  /** The URL to be settled next; undefined when none is admitted. */
  get next(): number | undefined {
    return this.#next?.id
  }

  /** Whether it has to be settled before any other is looked at. */
  get isAlone(): boolean {
    return this.#next !== undefined && isAlone(this.#next)
  }

  /** The URL that was next is settled. */
  pass(): void {
    if (this.#next !== undefined) this.#admitted.delete(this.#next.id)
    this.#next = this.#queue.shift()
  }

  /**
   * Admits what is next, as far as there is room.
   * @param limit of what is admitted at a time
   * @returns keys of the hosts that may go on
   */
  admit(limit: number): string[] {
    const room = Math.min(WINDOW, limit) - this.#admitted.size
    if (room <= 0 || this.isAlone) return []
    const hosts: string[] = []
    for (const turn of this.#candidates(room)) {
      if (isAlone(turn) && this.#next !== undefined) break
      this.#add(turn)
      hosts.push(turn.host)
    }
    return hosts
  }

  #add(turn: Turn): void {
    this.#admitted.add(turn.id)
    this.#last = turn
    if (this.#next === undefined) this.#next = turn
    else this.#queue.push(turn)
  }

  /** A level begins when all of those before it is settled. */
  #candidates(room: number): Turn[] {
    const last = this.#next === undefined ? undefined : this.#last
    if (last !== undefined) return this.#after(last.depth, last.sidesteps, last.id, room)
    const row = this.#first.get()
    if (row === undefined) return []
    const { depth, sidesteps } = stored(turnForm, row, 'urls')
    return this.#after(depth, sidesteps, 0, room)
  }

  #after(depth: number, sidesteps: number, id: number, limit: number): Turn[] {
    const rows = this.#further.all(depth, sidesteps, id, limit)
    return rows.map((row) => stored(turnForm, row, 'urls'))
  }
}

function isAlone({ depth, hop }: Turn): boolean {
  return depth === 0 && (hop === 'seed' || hop === 'redirect')
}
