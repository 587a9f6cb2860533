/** Copies a text: a slice keeps the whole string it was cut from in memory, often a whole page. */
export function detachedCopy(text: string): string {
  return Buffer.from(text).toString()
}
