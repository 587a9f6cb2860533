import type { DatabaseSync } from 'node:sqlite'
import { parseStored } from '../../database/validate-stored-values.ts'
import { orderedUrlSchema } from './stored-rows.ts'
import { type OrderedUrl, URL_STATE } from './stored-url.ts'

const COLUMNS = `
  SELECT urls.id, urls.depth, urls.same_depth_hops AS sameDepthHops, urls.redirects, urls.hop, hosts.key AS host
  FROM urls INDEXED BY in_order JOIN hosts ON hosts.id = urls.host
  WHERE urls.state = ${URL_STATE.ready}`

/** The ready URLs of all hosts, by an index that is created only for `--deterministic`. */
export class ReadyUrlOrder {
  readonly #first
  readonly #after

  constructor(database: DatabaseSync) {
    database.exec(
      `CREATE INDEX IF NOT EXISTS in_order ON urls (depth, same_depth_hops, id) WHERE state = ${URL_STATE.ready}`,
    )
    const order = 'ORDER BY urls.depth, urls.same_depth_hops, urls.id LIMIT'
    this.#first = database.prepare(`${COLUMNS} ${order} 1`)
    this.#after = database.prepare(
      `${COLUMNS} AND urls.depth = ? AND urls.same_depth_hops = ? AND urls.id > ? ${order} ?`,
    )
  }

  /** Returns the first ready URL; undefined if there is none. */
  first(): OrderedUrl | undefined {
    const row = this.#first.get()
    return row && parseStored(orderedUrlSchema, row, 'urls')
  }

  /** Returns the next ready URLs with the same depth and the same number of hops at that depth. */
  after(
    { depth, sameDepthHops, id }: Pick<OrderedUrl, 'depth' | 'sameDepthHops' | 'id'>,
    limit: number,
  ): OrderedUrl[] {
    const rows = this.#after.all(depth, sameDepthHops, id, limit)
    return rows.map((row) => parseStored(orderedUrlSchema, row, 'urls'))
  }
}
