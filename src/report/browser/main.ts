import type { DataTable } from '../page/data-table.ts'
import { TableView } from './table-view.ts'

/** The script of the page: fills its tables from the data in it. */
const data = document.getElementById('data')?.textContent ?? '[]'
const tables: readonly DataTable[] = JSON.parse(data)

for (const table of tables) {
  const place = document.getElementById(`table-${table.id}`)
  if (place !== null) new TableView(table, place).show()
}
