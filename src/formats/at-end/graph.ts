import type { DatabaseSync } from 'node:sqlite'
import { openTemporaryDatabase } from '../../database/sqlite.ts'
import { temporaryDatabaseError } from '../../database/temporary-database-error.ts'
import type { StoredVisits } from '../../output/stored-visits.ts'
import { NOT_MODIFIED } from '../../records/content-version.ts'
import { fillSiteTables } from './site-tables.ts'

/** A URL of the link graph. Status, depth and title are null if it was not visited. */
export interface GraphNode {
  readonly id: number
  readonly url: string
  readonly status: number | null
  readonly depth: number | null
  readonly title: string | null
}

/** A link or redirect from one URL to another. */
interface GraphEdge {
  readonly page: number
  readonly target: number
  readonly hop: 'link' | 'redirect'
}

/** Syntax of a graph format. */
export interface GraphFormat {
  readonly head: string
  node(node: GraphNode): string
  edge(edge: GraphEdge): string
  readonly foot: string
}

const NODES = `
  SELECT urls.id, urls.url, status, depth, title
  FROM urls LEFT JOIN visits ON visits.id = (
    SELECT max(id) FROM visits WHERE visits.url = urls.url AND status IS NOT ${NOT_MODIFIED})
  ORDER BY urls.id`
const EDGES = 'SELECT page, target, hop FROM links ORDER BY page, target, hop'

/** Derives the link graph: all nodes, then all edges. */
export function graphDerivation(format: GraphFormat) {
  return function* derive(visits: StoredVisits): Generator<string> {
    const database = openTemporaryDatabase()
    try {
      yield* fillSiteTables(database, visits)
      yield format.head
      for (const row of rowsOf(database, NODES)) yield format.node(row as unknown as GraphNode)
      for (const row of rowsOf(database, EDGES)) yield format.edge(row as unknown as GraphEdge)
      yield format.foot
    } catch (error) {
      throw temporaryDatabaseError(error)
    } finally {
      database.close()
    }
  }
}

function rowsOf(database: DatabaseSync, query: string) {
  return database.prepare(query).iterate()
}
