import type { DatabaseSync } from 'node:sqlite'
import { nameOfSource, type TextSource } from '../../compressed-files/open-text.ts'
import type { Progress } from '../progress.ts'
import { readLog } from '../read-log.ts'
import { isStateDirectory, linksFileOfState } from '../read-state-visits.ts'
import { SiteGraph } from './link-graph.ts'
import { addLinkTables } from './load-broken-links.ts'
import { openVisitTable } from './load-visits.ts'
import { type ReportContent, renderPage } from './render-page.ts'
import { reportTables } from './report-tables.ts'
import {
  countsBy,
  durationCounts,
  OUTCOME,
  readOverview,
  visitsOverTime,
} from './visit-statistics.ts'

/** Files of a crawl that a report is made from. */
export interface ReportedFiles {
  /** A file of records, or a directory of `--state`. */
  readonly visits: TextSource
  /** Output of `--links`; by default the file that the state names. */
  readonly links?: TextSource | undefined
  /** The log as JSON lines. */
  readonly log?: TextSource | undefined
}

/**
 * Creates a report on a crawl: one self-contained page of HTML.
 * @throws CrawlerError('usage') when a file can't be read, or a line is invalid
 */
export async function htmlReport(files: ReportedFiles, progress?: Progress): Promise<string> {
  const { visits } = files
  const isState = isStateDirectory(visits)
  const links = files.links ?? (isState ? linksFileOfState(visits) : undefined)
  const samples = files.log === undefined ? undefined : await readLog(files.log)
  const database = await openVisitTable(visits, progress)
  try {
    const graph = new SiteGraph(database)
    await addLinkTables(database, links, (from, to) => {
      graph.add(from, to)
      progress?.recordRead()
    })
    progress?.fileRead()
    const hasAllLinks = links !== undefined
    return renderPage({
      ...contentOf(database, nameOfSource(visits)),
      tables: reportTables(database, { hasAllLinks, isState }),
      samples,
      graph: { ...graph.data, isCut: graph.isCut, hasAllLinks },
    })
  } finally {
    database.close()
  }
}

function contentOf(
  database: DatabaseSync,
  file: string,
): Omit<ReportContent, 'tables' | 'graph' | 'samples'> {
  const overview = readOverview(database)
  const { from } = overview
  return {
    ...{ file, overview, visits: overview.visits },
    timeline: from === null ? undefined : { from, ...visitsOverTime(database, overview) },
    outcomes: countsBy(database, OUTCOME),
    depths: countsBy(database, 'depth', 'label'),
    types: countsBy(database, 'type'),
    times: durationCounts(database),
  }
}
