/** Copies a text. A slice would keep the whole string that it was cut from in memory, often a whole page. */
export function detachedCopy(text: string): string {
  return Buffer.from(text).toString()
}
