import type { DatabaseSync } from 'node:sqlite'
import { countsBy, overviewOf, timelineOf, timesOf } from './findings.ts'
import { addLinkTables } from './link-table.ts'
import { type Findings, pageOf } from './page.ts'
import { tablesOf } from './tables.ts'
import { tableOfVisits } from './visit-table.ts'

/** Files that a crawl wrote. */
export interface ReportedFiles {
  readonly visits: string
  /** Of `--links`. */
  readonly links?: string | undefined
}

/**
 * A report on a crawl: one page of HTML that needs nothing else.
 * @throws CrawlerError('usage') when a file can't be read, or a line of it isn't what it should be
 */
export async function htmlReport({ visits, links }: ReportedFiles): Promise<string> {
  const database = await tableOfVisits(visits)
  try {
    await addLinkTables(database, links)
    return pageOf({
      ...findingsIn(database, visits),
      tables: tablesOf(database, links !== undefined),
    })
  } finally {
    database.close()
  }
}

function findingsIn(database: DatabaseSync, file: string): Omit<Findings, 'tables'> {
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
