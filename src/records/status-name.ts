/** The name that a status has in HTTP; undefined where it has none. */
export function statusName(status: number): string | undefined {
  // Not imported: every crawl would load the whole module at its start.
  return process.getBuiltinModule('node:http').STATUS_CODES[status]
}
