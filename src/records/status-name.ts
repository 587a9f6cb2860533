/** Returns the name of a status in HTTP; undefined if it has none. */
export function statusName(status: number): string | undefined {
  // The module is not imported, since every crawl would load all of it at its start.
  return process.getBuiltinModule('node:http').STATUS_CODES[status]
}

/** Returns a status with its name in HTTP. */
export function statusText(status = 0): string {
  const name = statusName(status)
  return name === undefined ? String(status) : `${status} ${name}`
}
