import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { readLog } from '../read-log.ts'
import { linksOfState } from '../read-state.ts'
import { countsBy, overviewOf, timelineOf, timesOf } from './findings.ts'
import { SiteGraph } from './link-graph.ts'
import { addLinkTables } from './link-table.ts'
import { pageOf, type ReportContent } from './page.ts'
import { tablesOf } from './tables.ts'
import { tableOfVisits } from './visit-table.ts'

/** Files of a crawl that a report is made from. */
export interface ReportedFiles {
  /** A file of records, or a directory of `--state`. */
  readonly visits: string
  /** Output of `--links`; by default the one recorded in a state. */
  readonly links?: string | undefined
  /** The log as JSON lines. */
  readonly log?: string | undefined
}

/**
 * Creates a report on a crawl: one self-contained page of HTML.
 * @throws CrawlerError('usage') when a file can't be read, or a line is invalid
 */
export async function htmlReport(files: ReportedFiles): Promise<string> {
  const path = files.visits
  const isState = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const links = files.links ?? (isState ? linksOfState(path) : undefined)
  const samples = files.log === undefined ? undefined : await readLog(files.log)
  const database = await tableOfVisits({ path, isState })
  try {
    const graph = new SiteGraph(database)
    await addLinkTables(database, links, (from, to) => graph.add(from, to))
    const isWhole = links !== undefined
    return pageOf({
      ...findingsIn(database, path),
      tables: tablesOf(database, { isWhole, isState }),
      samples,
      graph: { ...graph.data, isCut: graph.isCut, isWhole },
    })
  } finally {
    database.close()
  }
}

function findingsIn(
  database: DatabaseSync,
  file: string,
): Omit<ReportContent, 'tables' | 'graph' | 'samples'> {
  const overview = overviewOf(database)
  const { from } = overview
  return {
    ...{ file, overview, visits: overview.visits },
    timeline: from === null ? undefined : { from, ...timelineOf(database, overview) },
    outcomes: countsBy(database, 'ifnull(error, status)'),
    depths: countsBy(database, 'depth', 'label'),
    types: countsBy(database, 'type'),
    times: timesOf(database),
  }
}
