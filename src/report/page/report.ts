import type { DatabaseSync } from 'node:sqlite'
import { countsBy, overviewOf, timelineOf, timesOf } from './findings.ts'
import { pageOf } from './page.ts'
import { tablesOf } from './tables.ts'
import { tableOfVisits } from './visit-table.ts'

/**
 * A report on a file of visits: one page of HTML that needs nothing else.
 * @throws CrawlerError('usage') when the file can't be read, or a line is no visit
 */
export async function htmlReport(file: string): Promise<string> {
  const database = await tableOfVisits(file)
  try {
    return pageOf(findingsIn(database, file))
  } finally {
    database.close()
  }
}

function findingsIn(database: DatabaseSync, file: string): Parameters<typeof pageOf>[0] {
  const overview = overviewOf(database)
  const { from } = overview
  return {
    ...{ file, overview, visits: overview.visits },
    timeline: from === null ? undefined : { from, ...timelineOf(database, overview) },
    outcomes: countsBy(database, 'ifnull(error, status)'),
    depths: countsBy(database, 'depth', 'label'),
    types: countsBy(database, 'type'),
    times: timesOf(database),
    tables: tablesOf(database),
  }
}
