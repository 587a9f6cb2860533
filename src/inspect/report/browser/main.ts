import type { DataTable } from '../embedded-rows.ts'
import { GraphView } from './graph/graph-view.ts'
import { TableView } from './table-view.ts'

/**
 * The script of the page: fills its tables from embedded data, and draws the graph once it is
 * visible.
 */
const data = document.getElementById('data')?.textContent ?? '[]'
const tables: readonly DataTable[] = JSON.parse(data)

for (const table of tables) {
  const place = document.getElementById(`table-${table.id}`)
  if (place !== null) new TableView(table, place).show()
}

const place = document.getElementById('graph-view')
if (place !== null) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    const graph = document.getElementById('graph-data')?.textContent ?? ''
    new GraphView(JSON.parse(graph)).show(place)
  })
  observer.observe(place)
}
