/** The name that a status has in HTTP; undefined where it has none. */
export function statusName(status: number): string | undefined {
  // Not imported: every crawl would load the whole module at its start.
  return process.getBuiltinModule('node:http').STATUS_CODES[status]
}

/** Returns a status with its name in HTTP. */
export function statusText(status = 0): string {
  const name = statusName(status)
  return name === undefined ? String(status) : `${status} ${name}`
}
