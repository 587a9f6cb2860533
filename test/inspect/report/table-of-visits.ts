import { writeFile } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { addLinkTables } from '../../../src/inspect/report/load-broken-links.ts'
import { openVisitTable } from '../../../src/inspect/report/load-visits.ts'
import { reportTables } from '../../../src/inspect/report/report-tables.ts'

/** Returns a table of the report on these visits, which it writes to a file. Their status is 200 by default. */
export async function tableOfVisits(file: string, id: string, visits: readonly object[]) {
  const lines = visits.map((visit) => `${JSON.stringify({ status: 200, ...visit })}\n`)
  await writeFile(file, lines.join(''))
  const database = await openVisitTable(file)
  onTestFinished(() => database.close())
  await addLinkTables(database, undefined, () => {})
  const tables = reportTables(database, { hasAllLinks: false, isState: false })
  return tables.find((table) => table.id === id)
}
